import { afterAll, expect, it, vi } from 'vitest';

// Other tests share the modules of their process, with another Electron.
vi.resetModules();
vi.doMock('electron', () => ({ app: { getPath: () => '/' }, dialog: {}, shell: {} }));
afterAll(() => {
  vi.doUnmock('electron');
  vi.resetModules();
});

it('the recording as it was is saved under a title and a name that say so, in every language', async () => {
  const { saveDialogOf } = await import('./isolation-handlers.ts');
  for (const language of ['en', 'ru', 'uz'] as const) {
    const original = saveDialogOf('Suhbat', 'original', '.m4a', language);
    const isolated = saveDialogOf('Suhbat', 'mp3', '.mp3', language);
    expect(original.title).not.toBe(isolated.title);
    expect(original.defaultPath).toMatch(/^Suhbat \(.+\)\.m4a$/u);
    expect(original.defaultPath?.replace('.m4a', '')).not.toBe(isolated.defaultPath?.replace('.mp3', ''));
  }
  expect(saveDialogOf('Suhbat', 'original', '.m4a', 'en')).toEqual({
    title: 'Save the recording as it was',
    defaultPath: 'Suhbat (original).m4a',
    filters: [{ name: 'M4A', extensions: ['m4a'] }],
  });
});
