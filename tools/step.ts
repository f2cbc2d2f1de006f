import { spawn } from 'node:child_process'

/** One program of a gate: what it is called, and how it is started. */
export interface Step {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
}

export interface Outcome {
  readonly name: string
  readonly ok: boolean
  readonly seconds: number
  readonly output: string
}

export function runStep(step: Step): Promise<Outcome> {
  const began = performance.now()
  return new Promise((resolve) => {
    const child = spawn(step.command, step.args, {
      ...(step.cwd === undefined ? {} : { cwd: step.cwd }),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, FORCE_COLOR: '0' },
    })
    let output = ''
    const keep = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => {
      output += error.message
    })
    child.on('close', (code) => {
      resolve({ name: step.name, ok: code === 0, seconds: (performance.now() - began) / 1000, output })
    })
  })
}

/** Runs steps, `most` at a time, and tells each outcome as it comes. */
export async function runSteps(steps: readonly Step[], most: number): Promise<Outcome[]> {
  const waiting = [...steps]
  const outcomes: Outcome[] = []
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const outcome = await runStep(step)
      outcomes.push(outcome)
      console.log(
        `${outcome.ok ? 'ok    ' : 'FAILED'} ${outcome.name.padEnd(14)} ${outcome.seconds.toFixed(1)} s`,
      )
      if (!outcome.ok) console.log(outcome.output.trimEnd())
    }
  }
  await Promise.all(Array.from({ length: most }, worker))
  return outcomes
}
