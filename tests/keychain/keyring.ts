import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A bus that starts nothing automatically, so that "no service" stays true although one is installed. */
const busConfig = (folder: string) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=${folder}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`;

const secretsName = 'org.freedesktop.secrets';

/** However the test ends, its daemons end with it. */
const daemons = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of daemons) child.kill('SIGKILL');
});
const endWithUs = (child: ChildProcess): void => void daemons.add(child);

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGCONT');
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** A private session bus with its own folders; a real gnome-keyring can be added, locked, frozen and removed. */
export async function startPrivateBus() {
  const folder = mkdtempSync(join(tmpdir(), 'keyring-'));
  const [data, runtime] = [join(folder, 'data'), join(folder, 'run')];
  for (const path of [data, runtime]) mkdirSync(path, { mode: 0o700 });
  writeFileSync(join(folder, 'bus.conf'), busConfig(runtime));
  const bus = spawn('dbus-daemon', [`--config-file=${folder}/bus.conf`, '--nofork', '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  endWithUs(bus);
  const [address] = (await once(createInterface({ input: bus.stdout }), 'line')) as [string];
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...quiet } = process.env;
  const env = { ...quiet, DBUS_SESSION_BUS_ADDRESS: address, XDG_DATA_HOME: data, XDG_RUNTIME_DIR: runtime };
  let keyring: ChildProcess | null = null;

  const isServed = async () => {
    const question = [
      '--session',
      '--print-reply',
      '--dest=org.freedesktop.DBus',
      '/',
      'org.freedesktop.DBus.NameHasOwner',
    ];
    const { stdout } = await run('dbus-send', [...question, `string:${secretsName}`], { env });
    return stdout.includes('true');
  };

  const startKeyring = async (argument: '--unlock' | '--start') => {
    const child = spawn('gnome-keyring-daemon', [argument, '--components=secrets', '--foreground'], {
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    keyring = child;
    endWithUs(child);
    child.stdin.end(argument === '--unlock' ? 'password of the test' : '');
    while (!(await isServed())) if (child.exitCode !== null) throw new Error('gnome-keyring-daemon ended at once');
  };

  const stopKeyring = async () => {
    if (keyring !== null) await end(keyring);
    keyring = null;
  };

  return {
    folder,
    env,
    unlock: () => startKeyring('--unlock'),
    /** The keyring as after a login without a password: running and locked. */
    async lock(): Promise<void> {
      await stopKeyring();
      await startKeyring('--start');
    },
    /** It owns its name but does not answer. */
    freeze: () => keyring?.kill('SIGSTOP'),
    thaw: () => keyring?.kill('SIGCONT'),
    async stop(): Promise<void> {
      await stopKeyring();
      await end(bus);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type PrivateBus = Awaited<ReturnType<typeof startPrivateBus>>;
