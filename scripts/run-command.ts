import { spawn, type SpawnOptions } from 'node:child_process';

/**
 * Runs a program with this terminal's output; where `options` make pipes of it, `onText` is given what comes. Rejects
 * with its name and exit code when it does not end well.
 */
export function run(
  program: string,
  args: readonly string[],
  options: SpawnOptions = {},
  onText: (text: string) => void = () => undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { stdio: 'inherit', ...options });
    child.once('error', reject);
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onText);
    // Not `exit`: what it wrote last may still be on its way.
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${[program, ...args].join(' ')} ended with ${signal ?? code}`));
    });
  });
}
