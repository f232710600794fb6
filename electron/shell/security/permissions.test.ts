import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pedalModels } from '../../../shared/domain/pedals/pedals.ts';
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
function allowedCells(isOn: { readonly microphone: boolean; readonly pedals: boolean }): readonly string[] {
  const granted = new Set<string>();
  for (const permission of permissions) {
    for (const origin of origins) {
      for (const isMainFrame of [true, false]) {
        for (const media of mediaTypes) {
          if (isPermitted({ permission, origin, isMainFrame, mediaTypes: media }, isOn)) {
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

it('of every permission, origin, frame and medium, only three cells are allowed', () => {
  expect(permissions.length).toBeGreaterThan(15);
  const [clipboard, devices, audio] = [
    'clipboard-sanitized-write studio true ',
    'hid studio true ',
    'media studio true audio',
  ];
  expect(allowedCells({ microphone: true, pedals: true })).toEqual([clipboard, devices, audio]);
  expect(allowedCells({ microphone: true, pedals: false })).toEqual([clipboard, audio]);
  expect(allowedCells({ microphone: false, pedals: true })).toEqual([clipboard, devices]);
  expect(allowedCells({ microphone: false, pedals: false })).toEqual([clipboard]);
});

/** The handlers that a session is given. */
function guard(isOn?: { readonly microphone: boolean; readonly pedals: boolean }) {
  type Request = (contents: unknown, permission: string, answer: (granted: boolean) => void, details: object) => void;
  type Check = (contents: unknown, permission: string, origin: string, details: object) => boolean;
  type Device = (details: object) => boolean;
  let [request, check, device]: [Request | null, Check | null, Device | null] = [null, null, null];
  const session = {
    setPermissionRequestHandler: (handler: Request) => (request = handler),
    setPermissionCheckHandler: (handler: Check) => (check = handler),
    setDevicePermissionHandler: (handler: Device) => (device = handler),
  };
  guardPermissions(session as unknown as Electron.Session, isOn && (() => isOn));
  const ask = (permission: string, details: object) => {
    let granted: boolean | null = null;
    request!(null, permission, (answer) => (granted = answer), { isMainFrame: true, ...details });
    return granted;
  };
  return { ask, check: check!, device: device! };
}

it('request and check handlers both answer from the table', () => {
  const { ask, check } = guard({ microphone: true, pedals: false });
  expect(ask('media', { requestingUrl: 'app://studio/#/x', mediaTypes: ['audio'] })).toBe(true);
  expect(ask('media', { requestingUrl: 'app://studio/', mediaTypes: ['audio', 'video'] })).toBe(false);
  expect(ask('media', { requestingUrl: 'https://evil.example/', mediaTypes: ['audio'] })).toBe(false);
  expect(ask('geolocation', { requestingUrl: 'app://studio/' })).toBe(false);
  expect(check(null, 'media', 'app://studio/', { isMainFrame: true, mediaType: 'audio' })).toBe(true);
  expect(check(null, 'media', 'app://studio/', { isMainFrame: true, mediaType: 'video' })).toBe(false);
  expect(check(null, 'usb', 'app://studio/', { isMainFrame: true })).toBe(false);
  expect(check(null, 'hid', 'app://studio/', { isMainFrame: true })).toBe(false);
  expect(guard({ microphone: false, pedals: true }).check(null, 'hid', 'app://studio/', { isMainFrame: true })).toBe(
    true,
  );
  expect(guard().check(null, 'media', 'app://studio/', { isMainFrame: true, mediaType: 'audio' })).toBe(false);
});

it('of every device, only known pedals are permitted, for our page, while they are read', () => {
  const ids = [...new Set(pedalModels.flatMap(({ vendorId, productId }) => [vendorId, productId])), 0, 0x1050, 0xffff];
  const devices = ids.flatMap((vendorId) => ids.map((productId) => ({ vendorId, productId })));
  const { device } = guard({ microphone: true, pedals: true });
  const permitted: object[] = [];
  for (const deviceType of ['hid', 'serial', 'usb']) {
    for (const origin of origins) {
      for (const asked of devices) {
        if (device({ deviceType, origin, device: asked })) permitted.push({ deviceType, origin, ...asked });
      }
    }
  }
  const pedals = pedalModels.map(({ vendorId, productId }) => ({ deviceType: 'hid', vendorId, productId }));
  const expected = ['app://studio', 'app://studio/'].flatMap((origin) => pedals.map((pedal) => ({ ...pedal, origin })));
  expect(permitted).toHaveLength(expected.length);
  expect(permitted).toEqual(expect.arrayContaining(expected));

  const [pedal] = pedalModels;
  const asked = { deviceType: 'hid', origin: 'app://studio', device: pedal };
  expect(device(asked)).toBe(true);
  expect(guard({ microphone: true, pedals: false }).device(asked)).toBe(false);
  expect(guard().device(asked)).toBe(false);
});
