import { spawn, type SpawnOptions } from 'node:child_process';

/** Runs a program with this terminal's output. Rejects with its name and exit code when it does not end well. */
export function run(program: string, args: readonly string[], options: SpawnOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${[program, ...args].join(' ')} ended with ${signal ?? code}`));
    });
  });
}
