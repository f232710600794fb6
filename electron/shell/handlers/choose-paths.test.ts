import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';

const suggested: (string | undefined)[] = [];
let answer = { canceled: false, filePath: '' };
// Other tests share the modules of their process, with another Electron.
vi.resetModules();
vi.doMock('electron', () => ({
  app: { getPath: () => join('/home', 'user', 'Documents') },
  dialog: {
    showSaveDialog: ({ defaultPath }: { defaultPath?: string }) => {
      suggested.push(defaultPath);
      return Promise.resolve(answer);
    },
  },
  shell: {},
}));

it('a file is suggested in the documents, then where the last one was saved; a cancelled dialog changes nothing', async () => {
  const { chooseSavePath } = await import('./choose-paths.ts');
  answer = { canceled: true, filePath: '' };
  expect(await chooseSavePath(undefined, { defaultPath: 'one.wav' })).toBeNull();
  answer = { canceled: false, filePath: join('/media', 'usb', 'mine.wav') };
  expect(await chooseSavePath(undefined, { defaultPath: 'two.wav' })).toBe(answer.filePath);
  answer = { canceled: true, filePath: '' };
  await chooseSavePath(undefined, { defaultPath: 'three.wav' });
  await chooseSavePath(undefined, { defaultPath: join('/exports', 'four.wav') });
  expect(suggested).toEqual([
    join('/home', 'user', 'Documents', 'one.wav'),
    join('/home', 'user', 'Documents', 'two.wav'),
    join('/media', 'usb', 'three.wav'),
    join('/exports', 'four.wav'),
  ]);
});

afterAll(() => {
  vi.doUnmock('electron');
  vi.resetModules();
});
