import { fork as forkChild, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import type Electron from 'electron';
import { PortHub, type MessagePortMain } from '../ports.ts';
import { sayClassGaps, sayGaps } from '../unsupported.ts';

/** How messages and ports travel between main and a utility process. */
export type UtilityMessage =
  | { readonly kind: 'message'; readonly data: unknown; readonly ports: readonly string[] }
  | {
      readonly kind: 'port' | 'port-close';
      readonly id: string;
      readonly data?: unknown;
      readonly ports?: readonly string[];
    };

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class UtilityProcess extends EventEmitter {
  pid: number | undefined;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly #child: ChildProcess;
  readonly #ports: PortHub;

  constructor(modulePath: string, args: readonly string[], options: Electron.ForkOptions) {
    super();
    const { stdio = 'inherit' } = options;
    const [, out = 'inherit', err = 'inherit'] = typeof stdio === 'string' ? [stdio, stdio, stdio] : stdio;
    this.#child = forkChild(modulePath, [...args], {
      execPath: process.execPath,
      execArgv: [
        ...(options.execArgv ?? []),
        '--disable-warning=ExperimentalWarning',
        '--import',
        new URL('../utility-boot.ts', import.meta.url).href,
      ],
      ...(options.env && { env: options.env as NodeJS.ProcessEnv }),
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      serialization: 'advanced',
      stdio: ['ignore', out as 'pipe', err as 'pipe', 'ipc'],
    });
    const child = this.#child;
    running.add(child);
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    this.#ports = new PortHub('main', (kind, id, data, ports = []) => this.#tell({ kind, id, data, ports }));
    child.once('spawn', () => {
      this.pid = child.pid;
      this.emit('spawn');
    });
    child.once('error', (error) => this.emit('error', 'FatalError', '', error.message));
    child.on('message', (message) => this.#receive(message as UtilityMessage));
    child.once('exit', (code, signal) => {
      running.delete(child);
      this.pid = undefined;
      this.#ports.closeAll();
      this.emit('exit', code ?? (signal === 'SIGTERM' ? 15 : 9));
    });
  }

  postMessage(message: unknown, transfer: readonly MessagePortMain[] = []): void {
    this.#tell({ kind: 'message', data: message, ports: transfer.map((port) => this.#ports.give(port)) });
  }

  kill(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.kill('SIGTERM');
  }

  #tell(message: UtilityMessage): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  #receive(message: UtilityMessage): void {
    if (message.kind === 'message') this.emit('message', message.data);
    else if (message.kind === 'port') this.#ports.receive(message.id, message.data, message.ports);
    else this.#ports.closed(message.id);
  }
}
sayClassGaps(UtilityProcess, 'UtilityProcess');
UtilityProcess satisfies new (...args: never[]) => Pick<Electron.UtilityProcess, 'kill' | 'pid'>;

export const utilityProcess = sayGaps(
  {
    fork: (modulePath: string, args: string[] = [], options: Electron.ForkOptions = {}) =>
      new UtilityProcess(modulePath, args, options),
  },
  'utilityProcess',
);
