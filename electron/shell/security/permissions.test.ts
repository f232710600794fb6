import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
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

it('of every permission, origin, frame and medium, only two cells are allowed', () => {
  expect(permissions.length).toBeGreaterThan(15);
  const granted = new Set<string>();
  for (const permission of permissions) {
    for (const origin of origins) {
      for (const isMainFrame of [true, false]) {
        for (const media of mediaTypes) {
          if (isPermitted({ permission, origin, isMainFrame, mediaTypes: media }, true)) {
            granted.add(
              `${permission} ${new URL(origin).host} ${isMainFrame} ${permission === 'media' ? media.join() : ''}`,
            );
          }
        }
      }
    }
  }
  expect([...granted].toSorted()).toEqual(['clipboard-sanitized-write studio true ', 'media studio true audio']);
});

it('with the microphone off, audio is refused too', () => {
  const question = { permission: 'media', origin: 'app://studio', isMainFrame: true, mediaTypes: ['audio'] };
  expect(isPermitted(question, false)).toBe(false);
});

it('request and check handlers both answer from the table, and every device is refused', () => {
  type Request = (contents: unknown, permission: string, answer: (granted: boolean) => void, details: object) => void;
  type Check = (contents: unknown, permission: string, origin: string, details: object) => boolean;
  let [request, check, device]: [Request | null, Check | null, (() => boolean) | null] = [null, null, null];
  const session = {
    setPermissionRequestHandler: (handler: Request) => (request = handler),
    setPermissionCheckHandler: (handler: Check) => (check = handler),
    setDevicePermissionHandler: (handler: () => boolean) => (device = handler),
  };
  guardPermissions(session as unknown as Electron.Session, () => true);
  const ask = (permission: string, details: object) => {
    let granted: boolean | null = null;
    request!(null, permission, (answer) => (granted = answer), { isMainFrame: true, ...details });
    return granted;
  };
  expect(ask('media', { requestingUrl: 'app://studio/#/x', mediaTypes: ['audio'] })).toBe(true);
  expect(ask('media', { requestingUrl: 'app://studio/', mediaTypes: ['audio', 'video'] })).toBe(false);
  expect(ask('media', { requestingUrl: 'https://evil.example/', mediaTypes: ['audio'] })).toBe(false);
  expect(ask('geolocation', { requestingUrl: 'app://studio/' })).toBe(false);
  expect(check!(null, 'media', 'app://studio/', { isMainFrame: true, mediaType: 'audio' })).toBe(true);
  expect(check!(null, 'media', 'app://studio/', { isMainFrame: true, mediaType: 'video' })).toBe(false);
  expect(check!(null, 'usb', 'app://studio/', { isMainFrame: true })).toBe(false);
  expect(device!()).toBe(false);
});
