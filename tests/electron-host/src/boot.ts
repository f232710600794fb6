import { existsSync, readFileSync, statSync } from 'node:fs';
import inspector from 'node:inspector';
import { createRequire, registerHooks } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseElectronArguments } from './argv.ts';
import { electronApi } from './api.ts';
import { facadeHook } from './facade-hook.ts';
import { listen, start } from './start.ts';
import { host } from './state.ts';

/** The host's main process, started by `dist/electron`: looks to the app like Electron's own, then runs it. */
const require = createRequire(import.meta.url);

host.executable = process.env['ELECTRON_HOST_EXECUTABLE'] ?? process.execPath;
process.argv.splice(0, 2, host.executable);
const commandLine = parseElectronArguments(process.argv.slice(1));

const { version } = require('electron/package.json') as { version: string };
for (const [name, value] of Object.entries({ electron: version, electronHost: '1' })) {
  Object.defineProperty(process.versions, name, { value, enumerable: true });
}
Object.assign(process, { type: 'browser', defaultApp: true, resourcesPath: dirname(host.executable) });
Object.assign(globalThis, { [Symbol.for('electron-host.api')]: electronApi });
registerHooks(facadeHook('electron.cjs'));

if (commandLine.app === null) {
  process.stderr.write('usage: electron [options] <folder or file of an app> [arguments]\n');
  process.exit(1);
}
if (commandLine.inspect !== null)
  inspector.open(commandLine.inspect.port, commandLine.inspect.host, commandLine.inspect.wait);
for (const [name, value] of commandLine.switches) electronApi.app.commandLine.appendSwitch(name, value);

const fromHere = createRequire(join(process.cwd(), 'electron'));
for (const file of commandLine.requires) fromHere(isAbsolute(file) ? file : resolve(file));

interface Manifest {
  readonly name?: string;
  readonly productName?: string;
  readonly version?: string;
}

/** A folder with a `package.json` or an `index.js`, or a file, also without its extension. */
function entryOf(app: string): string {
  const given = resolve(app);
  const description = join(given, 'package.json');
  host.appPath = existsSync(given) && statSync(given).isDirectory() ? given : dirname(given);
  if (existsSync(description)) {
    const manifest = JSON.parse(readFileSync(description, 'utf8')) as Manifest;
    host.appName = manifest.productName ?? manifest.name ?? host.appName;
    host.appVersion = manifest.version ?? version;
  }
  try {
    return fromHere.resolve(given);
  } catch {
    process.stderr.write(`Unable to find Electron app at ${given}\n`);
    process.exit(1);
  }
}

await listen();
try {
  await import(pathToFileURL(entryOf(commandLine.app)).href);
} catch (error) {
  process.stderr.write(`App threw an error during load\n${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}
if (!electronApi.app.isQuitting) await start();
