export interface ElectronArguments {
  /** `--inspect[-brk][=[host:]port]`: null if it is absent. */
  readonly inspect: { readonly host: string; readonly port: number; readonly wait: boolean } | null;
  /** Files given with `-r`, loaded before the app. */
  readonly requires: readonly string[];
  /** `--name=value` anywhere up to `--`: switches for the browser. */
  readonly switches: ReadonlyMap<string, string>;
  /** The app's folder or file; null when none was given. */
  readonly app: string | null;
}

const inspectSwitch = /^--inspect(-brk)?(?:=(?:(.+):)?(\d+)?)?$/;
const anySwitch = /^--([^=]+)(?:=(.*))?$/s;

/** Reads a command line as Electron's own executable does: options, then the app, then the app's arguments. */
export function parseElectronArguments(argv: readonly string[]): ElectronArguments {
  const requires: string[] = [];
  const switches = new Map<string, string>();
  let inspect: ElectronArguments['inspect'] = null;
  let app: string | null = null;
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] ?? '';
    if (argument === '--') {
      app ??= argv[i + 1] ?? null;
      break;
    }
    const asked = inspectSwitch.exec(argument);
    const named = anySwitch.exec(argument);
    if (app === null && (argument === '-r' || argument === '--require')) {
      const file = argv[++i];
      if (file !== undefined) requires.push(file);
    } else if (app === null && asked) {
      inspect = { host: asked[2] ?? '127.0.0.1', port: Number(asked[3] ?? 9229), wait: asked[1] !== undefined };
    } else if (named) {
      switches.set(named[1] ?? '', named[2] ?? '');
    } else app ??= argument;
  }
  return { inspect, requires, switches, app };
}
