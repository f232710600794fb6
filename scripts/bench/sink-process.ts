import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const scriptPath = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));
export const quietNode = '--disable-warning=ExperimentalWarning';

/** Starts the sink in a process of its own. With `done` it answers that every job has finished. */
export async function startSink(answer: 'queued' | 'done'): Promise<{ readonly url: string; stop(): void }> {
  const args = [quietNode, scriptPath('sink.ts'), ...(answer === 'done' ? ['done'] : [])];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (text) => resolve(String(text).trim())),
  );
  return { url: `http://127.0.0.1:${port}`, stop: () => child.stdin.end() };
}
