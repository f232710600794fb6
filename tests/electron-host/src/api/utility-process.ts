import { fork as forkChild, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import type Electron from 'electron';
import { checkTransfer, cloneOf, PortHub, type MessagePortMain } from '../ports.ts';
import { host } from '../state.ts';
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
/** Node itself, whatever `process.execPath` becomes. */
const node = process.execPath;
const longestGoodbye = 2000;

/** What to do with standard output and errors; what Electron refuses throws. */
function outputsOf(stdio: unknown = 'inherit'): readonly Output[] {
  const known = (value: unknown): value is Output => value === 'pipe' || value === 'ignore' || value === 'inherit';
  if (!Array.isArray(stdio)) {
    if (!known(stdio)) throw new Error('stdio must be of the following values: inherit, pipe, ignore');
    return [stdio, stdio];
  }
  const [input, out, err] = stdio as unknown[];
  if (stdio.length < 3) throw new Error('configuration missing for stdin, stdout or stderr.');
  if (input !== 'ignore') throw new Error('stdin value other than ignore is not supported.');
  if (!known(out)) throw new Error('stdout configuration must be of the following values: inherit, pipe, ignore');
  if (!known(err)) throw new Error('stderr configuration must be of the following values: inherit, pipe, ignore');
  return [out, err];
}
type Output = 'pipe' | 'ignore' | 'inherit';

/** 'gone' (details): a process that ended by itself, and not well. */
export const utilityEvents = new EventEmitter();

export class UtilityProcess extends EventEmitter {
  pid: number | undefined;
  stdout: Readable | null;
  stderr: Readable | null;
  readonly #child: ChildProcess;
  readonly #ports: PortHub;
  #killed = false;

  constructor(modulePath: string, args: readonly string[], options: Electron.ForkOptions) {
    super();
    if (!modulePath) throw new Error('Missing UtilityProcess entry script.');
    const [out, err] = outputsOf(options.stdio);
    if (!host.ready) throw new TypeError('utilityProcess cannot be created before app is ready.');
    const env = options.env as NodeJS.ProcessEnv | undefined;
    this.#child = forkChild(modulePath, [...args], {
      execPath: node,
      execArgv: [
        ...(options.execArgv ?? []),
        '--disable-warning=ExperimentalWarning',
        '--import',
        new URL('../utility-boot.ts', import.meta.url).href,
      ],
      // An empty environment is none, so that of the app is inherited.
      ...(env && Object.keys(env).length > 0 && { env }),
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
    child.once('exit', (code, signal) => this.#ended(code, signal, options.serviceName ?? 'Node Utility Process'));
  }

  #ended(code: number | null, signal: NodeJS.Signals | null, name: string): void {
    running.delete(this.#child);
    this.pid = undefined;
    this.#ports.closeAll();
    // Electron gives the number of the signal, but nought to those who asked for it.
    const status = signal === null ? (code ?? 0) : constants.signals[signal];
    const asked = this.#killed && (signal === 'SIGTERM' || signal === 'SIGKILL');
    this.emit('exit', asked ? 0 : status);
    this.stdout = null;
    this.stderr = null;
    if (status === 0) return;
    const killed = signal === 'SIGTERM' || signal === 'SIGKILL' || signal === 'SIGINT';
    const reason = signal === null ? 'abnormal-exit' : killed ? 'killed' : 'crashed';
    utilityEvents.emit('gone', {
      type: 'Utility',
      reason,
      exitCode: status,
      serviceName: 'node.mojom.NodeService',
      name,
    });
  }

  postMessage(message: unknown, transfer: readonly MessagePortMain[] = []): void {
    const data = cloneOf(message);
    checkTransfer(transfer);
    this.#tell({ kind: 'message', data, ports: transfer.map((port) => this.#ports.give(port)) });
  }

  kill(): boolean {
    if (this.pid === undefined || !this.#child.kill('SIGTERM')) return false;
    this.#killed = true;
    setTimeout(() => this.#child.kill('SIGKILL'), longestGoodbye).unref();
    return true;
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
    fork: (modulePath: string, args?: readonly string[] | Electron.ForkOptions, options?: Electron.ForkOptions) => {
      const [given, chosen] = Array.isArray(args) ? [args, options] : [[], args ?? options];
      return new UtilityProcess(modulePath, given, (chosen ?? {}) as Electron.ForkOptions);
    },
  },
  'utilityProcess',
);
