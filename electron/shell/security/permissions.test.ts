import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { guardPermissions, isPermitted } from './permissions.ts';

/** Every permission name of the installed Electron, read from its types so that a new one can't be missed. */
const types = readFileSync(new URL('../../../node_modules/electron/electron.d.ts', import.meta.url), 'utf8');
const handlerTypes = [...types.matchAll(/permission: ((?:'[\w-]+' \| )+'[\w-]+')/g)].map((match) => match[1] ?? '');
const permissions = [
  ...new Set(handlerTypes.flatMap((union) => union.split(' | ').map((name) => name.replaceAll("'", '')))),
];

const origins = [
  'app://studio',
  'app://studio/',
  'https://studio',
  'app://evil',
  'app://studio.evil',
  'null',
  '',
  'file://',
];
const mediaTypes = [[], ['audio'], ['video'], ['audio', 'video'], ['audio', 'audio']];

/** Every allowed cell of the table. */
function allowedCells(isMicrophoneOn: boolean): readonly string[] {
  const granted = new Set<string>();
  for (const permission of permissions) {
    for (const origin of origins) {
      for (const isMainFrame of [true, false]) {
        for (const media of mediaTypes) {
          if (isPermitted({ permission, origin, isMainFrame, mediaTypes: media }, isMicrophoneOn)) {
            granted.add(
              `${permission} ${new URL(origin).host} ${isMainFrame} ${permission === 'media' ? media.join() : ''}`,
            );
          }
        }
      }
    }
  }
  return [...granted].toSorted();
}

it('of every permission, origin, frame and medium, only two cells are allowed', () => {
  expect(permissions.length).toBeGreaterThan(15);
  const [clipboard, audio] = ['clipboard-sanitized-write studio true ', 'media studio true audio'];
  expect(allowedCells(true)).toEqual([clipboard, audio]);
  expect(allowedCells(false)).toEqual([clipboard]);
});

/** The handlers that a session is given. */
function guard(isMicrophoneOn?: boolean, askSystem?: () => Promise<boolean>) {
  type Request = (contents: unknown, permission: string, answer: (granted: boolean) => void, details: object) => void;
  type Check = (contents: unknown, permission: string, origin: string, details: object) => boolean;
  type Device = () => boolean;
  let [request, check, device]: [Request | null, Check | null, Device | null] = [null, null, null];
  const session = {
    setPermissionRequestHandler: (handler: Request) => (request = handler),
    setPermissionCheckHandler: (handler: Check) => (check = handler),
    setDevicePermissionHandler: (handler: Device) => (device = handler),
  };
  guardPermissions(
    session as unknown as Electron.Session,
    isMicrophoneOn === undefined ? undefined : () => isMicrophoneOn,
    askSystem,
  );
  const ask = (permission: string, details: object, given: boolean[] = []) => {
    request!(null, permission, (answer) => void given.push(answer), { isMainFrame: true, ...details });
    return given.at(-1) ?? null;
  };
  return { ask, check: check!, device: device! };
}

it('request and check handlers both answer from the table', () => {
  const { ask, check } = guard(true);
  expect(ask('media', { requestingUrl: 'app://studio/#/x', mediaTypes: ['audio'] })).toBe(true);
  expect(ask('media', { requestingUrl: 'app://studio/', mediaTypes: ['audio', 'video'] })).toBe(false);
  expect(ask('media', { requestingUrl: 'https://evil.example/', mediaTypes: ['audio'] })).toBe(false);
  expect(ask('geolocation', { requestingUrl: 'app://studio/' })).toBe(false);
  expect(check(null, 'media', 'app://studio/', { isMainFrame: true, mediaType: 'audio' })).toBe(true);
  expect(check(null, 'media', 'app://studio/', { isMainFrame: true, mediaType: 'video' })).toBe(false);
  expect(check(null, 'usb', 'app://studio/', { isMainFrame: true })).toBe(false);
  expect(check(null, 'hid', 'app://studio/', { isMainFrame: true })).toBe(false);
  expect(guard().check(null, 'media', 'app://studio/', { isMainFrame: true, mediaType: 'audio' })).toBe(false);
});

it('macOS is asked for the microphone before the page gets it, and for nothing else', async () => {
  const answers = [true, false];
  const questions: boolean[] = [];
  const { ask } = guard(true, async () => {
    const answer = answers.shift() ?? false;
    questions.push(answer);
    return answer;
  });
  const given: boolean[] = [];
  const microphone = { requestingUrl: 'app://studio/', mediaTypes: ['audio'] };
  expect(ask('media', microphone, given)).toBe(null);
  await vi.waitFor(() => expect(given).toEqual([true]));
  ask('media', microphone, given);
  await vi.waitFor(() => expect(given).toEqual([true, false]));
  expect(ask('clipboard-sanitized-write', { requestingUrl: 'app://studio/' })).toBe(true);
  expect(ask('media', { ...microphone, mediaTypes: ['video'] })).toBe(false);
  expect(questions).toEqual([true, false]);
});

it('no device is permitted', () => {
  expect(guard(true).device()).toBe(false);
});
