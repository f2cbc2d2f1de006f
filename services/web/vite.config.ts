import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The page runs under a policy without `unsafe-inline`: nothing may be inlined as a data address or a script. */
export default defineConfig({
  plugins: [react()],
  publicDir: 'src/ui/public',
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    chunkSizeWarningLimit: 560,
  },
})
