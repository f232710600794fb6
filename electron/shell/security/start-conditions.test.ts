import { expect, it } from 'vitest';
import { childEnvironment, cleanEnvironment, findDangerousSwitch } from './start-conditions.ts';

it.each([
  '--remote-debugging-port=9222',
  '--inspect',
  '--js-flags=--allow-natives-syntax',
  '--proxy-server=evil:1',
  '--no-sandbox',
  '-inspect',
  '--browser-subprocess-path=/tmp/x',
  '--use-fake-ui-for-media-stream',
  '--ssl-key-log-file=/tmp/x',
  '--nobody-knows-this-one',
])('a packaged app does not start with %s, whatever its value is', (argument) => {
  const [name = ''] = argument.split('=');
  for (const one of [argument, name, `${name}=x`]) {
    expect(findDangerousSwitch(['app', 'file.mp3', one])).toBe(one);
  }
});

it('the value of an allowed switch can’t smuggle in another', () => {
  const argument = '--disable-gpu=1 --no-sandbox';
  expect(findDangerousSwitch(['app', argument])).toBe(argument);
});

it('ordinary arguments start it', () => {
  const ordinary = ['app', '/home/me/intervyu.mp3', '--hidden', '-psn_0_1', '--ozone-platform=wayland', '--lang=uz'];
  expect(findDangerousSwitch(ordinary, 'linux')).toBeNull();
  expect(findDangerousSwitch(['app', 'C:\\Data\\suhbat.mp3'], 'win32')).toBeNull();
});

it('on Windows a slash begins a switch too', () => {
  expect(findDangerousSwitch(['app', '/remote-debugging-port=9222'], 'win32')).toBe('/remote-debugging-port=9222');
});

it('a child inherits neither the key nor variables that change how Node runs', () => {
  const env = {
    PATH: '/bin',
    LANG: 'uz',
    OVOZ_API_KEY: 'k',
    NODE_OPTIONS: '-r x',
    ELECTRON_RUN_AS_NODE: '1',
    HOME: '/h',
  };
  expect(childEnvironment(env)).toEqual({ PATH: '/bin', LANG: 'uz' });
});

it('our own environment loses what a child process must not see', () => {
  const start = () =>
    ({ PATH: '/bin', OVOZ_API_KEY: 'k', NODE_OPTIONS: '-r x', NODE_EXTRA_CA_CERTS: 'x', ELECTRON_X: '1' }) as Record<
      string,
      string | undefined
    >;
  const [source, packaged] = [start(), start()];
  cleanEnvironment(source, false);
  cleanEnvironment(packaged, true);
  expect(source).toEqual({ PATH: '/bin', ELECTRON_X: '1' });
  expect(packaged).toEqual({ PATH: '/bin' });
});
