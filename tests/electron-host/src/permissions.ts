/** Electron's permission names and the browser's names for them. */
const browserNames: Readonly<Record<string, readonly object[]>> = {
  'media:audio': [{ name: 'microphone' }],
  'media:video': [{ name: 'camera' }],
  notifications: [{ name: 'notifications' }],
  geolocation: [{ name: 'geolocation' }],
  midi: [{ name: 'midi' }],
  midiSysex: [{ name: 'midi', sysex: true }],
  'clipboard-read': [{ name: 'clipboard-read' }],
  'clipboard-sanitized-write': [{ name: 'clipboard-write' }],
  'screen-wake-lock': [{ name: 'screen-wake-lock' }],
  'idle-detection': [{ name: 'idle-detection' }],
  'window-management': [{ name: 'window-management' }],
  'local-fonts': [{ name: 'local-fonts' }],
};

export const permissionNames: readonly string[] = Object.keys(browserNames);

export function descriptorsOf(permission: string, mediaTypes: readonly string[]): readonly object[] {
  if (permission !== 'media') return browserNames[permission] ?? [];
  return mediaTypes.flatMap((type) => browserNames[`media:${type}`] ?? []);
}
