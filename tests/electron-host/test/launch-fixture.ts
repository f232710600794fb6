import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';

export const fixtureFolder = fileURLToPath(new URL('./fixture-app', import.meta.url));

export interface Fixture {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** A folder of this run: user data, and files to drag. */
  readonly folder: string;
  readonly media: string;
  readonly output: () => string;
  close(): Promise<void>;
}

/** Ten seconds of a 16 kHz tone: long enough that a player seeks with Range instead of reading all. */
function writeTone(path: string, seconds: number): void {
  const rate = 16_000;
  const data = Buffer.alloc(rate * seconds * 2);
  for (let i = 0; i < rate * seconds; i++)
    data.writeInt16LE(Math.round(8000 * Math.sin((i * 2 * Math.PI * 440) / rate)), i * 2);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  writeFileSync(path, Buffer.concat([head, data]));
}

export async function launchFixture(args: readonly string[] = []): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'host-fixture-'));
  const media = join(folder, 'tone.wav');
  writeTone(media, 120);
  const env = { ...process.env, FIXTURE_USER_DATA: join(folder, 'data'), FIXTURE_MEDIA: media } as Record<
    string,
    string
  >;
  const app = await _electron.launch({ args: ['.', ...args], cwd: fixtureFolder, env, colorScheme: null });
  let text = '';
  app.process().stdout?.on('data', (part: Buffer) => (text += part.toString()));
  app.process().stderr?.on('data', (part: Buffer) => (text += part.toString()));
  const page = await app.firstWindow();
  await page.waitForFunction(() => document.readyState === 'complete' && document.title === 'Fixture');
  return {
    app,
    page,
    folder,
    media,
    output: () => text,
    close: async () => {
      await app.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
