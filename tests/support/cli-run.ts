import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The sources; in a run of all tests their build (`OVOZ_CLI`), which starts in half the time. */
export const cliEntry =
  process.env['OVOZ_CLI'] ?? fileURLToPath(new URL('../../electron/entries/cli.ts', import.meta.url));

/** A cache of compiled code, so that each of the many starts takes half the time. */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'ovoz-cli-compiled') };

export interface CliEnvironment {
  readonly url?: string;
  readonly key?: string;
  readonly legacyKey?: string;
  readonly dataDir: string;
  readonly language?: string;
  /** The home folder of the user who runs the command. */
  readonly cwd?: string;
  /** Modules loaded before the command, and their environment variables. */
  readonly hooks?: { readonly modules: readonly string[]; readonly env: Readonly<Record<string, string>> };
  /** A program with its arguments that runs the command: a tracer, another user. */
  readonly under?: readonly string[];
  /** The session bus with its keychain; without one there is none. */
  readonly bus?: NodeJS.ProcessEnv;
}

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly error: string;
}

/** A line of `--json`, as far as the tests use it. */
export interface CliLine {
  readonly file?: string;
  readonly state?: 'done' | 'failed';
  readonly transcriptId?: string | null;
  readonly outputs?: readonly string[];
  readonly piece?: string;
  readonly answer?: string;
  readonly credits?: string | null;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly outcome: string;
    readonly mayPassLater: boolean;
    readonly requestId: string | null;
  } | null;
  readonly checks?: readonly { readonly check: string; readonly state: string; readonly advice: string | null }[];
  readonly days?: readonly { readonly product: string; readonly accepted: number; readonly credits: string }[];
  readonly summary?: { readonly done: number; readonly failed: number; readonly skipped: number };
}

const pick = (from: NodeJS.ProcessEnv | undefined, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (from?.[name] === undefined ? [] : [[name, from[name]]])));

/** The real command in a process of its own, which inherits nothing but PATH. */
export function startCli(
  args: readonly string[],
  env: CliEnvironment,
): { child: ChildProcess; ended: Promise<CliResult> } {
  const nodeArgs = [
    '--disable-warning=ExperimentalWarning',
    ...(env.hooks?.modules ?? []).flatMap((module) => ['--import', module]),
  ];
  const [program = process.execPath, ...rest] = [
    ...(env.under ?? []),
    process.execPath,
    ...nodeArgs,
    cliEntry,
    ...args,
  ];
  const child = spawn(program, rest, {
    env: {
      ...env.hooks?.env,
      PATH: process.env['PATH'],
      ...pick(env.bus, ['DBUS_SESSION_BUS_ADDRESS', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR']),
      HOME: env.dataDir,
      ...compileCache,
      OVOZ_DATA_DIR: env.dataDir,
      LANG: env.language ?? 'en_US.UTF-8',
      ...(env.url === undefined ? {} : { OVOZ_SERVICE_URL: env.url }),
      ...(env.key === undefined ? {} : { OVOZ_API_KEY: env.key }),
      ...(env.legacyKey === undefined ? {} : { OVOZ_LEGACY_KEY: env.legacyKey }),
    },
    ...(env.cwd === undefined ? {} : { cwd: env.cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let error = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (error += text));
  const ended = new Promise<CliResult>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, out, error }));
  });
  return { child, ended };
}

export const runCli = (args: readonly string[], env: CliEnvironment): Promise<CliResult> => startCli(args, env).ended;

/** Every line of standard output as an object, but for its progress; throws if there is anything else. */
export const jsonLines = <Line = CliLine>(out: string): readonly Line[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line & object)
    .filter((line) => !('progress' in line));
