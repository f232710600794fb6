import { spawn, type SpawnOptions } from 'node:child_process';

/** Rejects with the program's name and exit code; `onText` gets the output if `options` pipe it. */
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
    // Not `exit`: its last output may still be on its way.
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${[program, ...args].join(' ')} ended with ${signal ?? code}`));
    });
  });
}
