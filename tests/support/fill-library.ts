import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '../../electron/secret/secret.ts';
import { openWorkspace } from '../../electron/workspace/open-workspace.ts';
import { voices } from '../../electron/practice/speech/voices.ts';
import { takesFolderOf } from '../../electron/workspace/open-service-session.ts';
import { updateBlocks, withTake } from '../../shared/domain/speech/blocks.ts';
import { emptyDocument } from '../../shared/domain/speech/speech-document.ts';
import { startPracticeServer } from '../e2e/support/practice-server.ts';
import { spokenTake } from './spoken-take.ts';
import { toneWav } from './wav-files.ts';

/**
 * Fills the library of practice mode with forty items of all kinds, using the app's own services and a practice
 * service: `node tests/support/fill-library.ts DATA_DIR`. Runs in a process of its own, before the app is started.
 */
const counts = { transcripts: 20, dictations: 8, isolated: 6, spoken: 6 };
const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('the folder of the data is missing');

const pad = (count: number) => String(count).padStart(2, '0');
const subtitles = (at: number) =>
  Array.from({ length: 30 }, (_, cue) => {
    const said =
      cue === 20 && at === 3 ? 'Ustaning gʻalabakor qoʻshigʻi eshitildi.' : `Bozorda ${String(cue)}-gap aytildi.`;
    return `${String(cue + 1)}\n00:00:${pad(cue)},000 --> 00:00:${pad(cue)},900\n${said}\n`;
  }).join('\n');

const server = await startPracticeServer();
const opened = await openWorkspace({
  mode: 'practice',
  dataDir,
  source: () => ({ kind: 'service', baseUrl: server.url, key: new Secret(server.key) }),
  audioWorker: new URL('../../electron/entries/audio-worker.ts', import.meta.url),
  readingWorker: new URL('../../electron/entries/library-worker.ts', import.meta.url),
  log: { write: () => undefined },
  allowsLoopbackHttp: true,
});
if (!opened.ok) throw new Error(`the library was not opened: ${opened.error.row}`);
const workspace = opened.value;
try {
  const folder = join(dataDir, 'recordings');
  mkdirSync(folder);
  for (let at = 0; at < counts.transcripts; at += 1) {
    const name = `Suhbat ${String(at)}.srt`;
    const bytes = Buffer.from(subtitles(at));
    writeFileSync(join(folder, name), bytes);
    const file = { path: join(folder, name), name, bytes, mediaPath: null, language: 'uz' } as const;
    // oxlint-disable-next-line no-await-in-loop -- one after another, as a user would
    const imported = await workspace.importTranscript(file);
    if (!imported.ok) throw new Error(`not imported: ${imported.error.row}`);
  }
  for (let at = 0; at < counts.dictations; at += 1)
    // oxlint-disable-next-line no-await-in-loop -- the same
    await spokenTake(takesFolderOf('practice', dataDir), crypto.randomUUID(), [
      `Diktovka ${String(at)}: bugungi reja.`,
    ]);
  const request = (text: string) =>
    ({ text, language: 'uz', voiceId: voices.find(({ language }) => language === 'uz')?.id ?? '', speed: 1 }) as const;
  for (let at = 0; at < counts.spoken; at += 1) {
    const text = `Ovozlashtirilgan matn ${String(at)}.`;
    const defaults = { language: 'uz', voiceId: request(text).voiceId, otherVoices: {}, speed: 1 } as const;
    const blocks = updateBlocks([], text, { language: 'uz', limit: 5000, newId: () => crypto.randomUUID() });
    // oxlint-disable-next-line no-await-in-loop -- the same
    const take = await workspace.speechTakes.generate(request(text));
    if (!take.ok) throw new Error(`not spoken: ${take.error.row}`);
    workspace.speechDocuments.save({
      ...emptyDocument(crypto.randomUUID(), defaults),
      text,
      blocks: blocks.map((block) => withTake(block, take.value.id)),
    });
  }
  const noisy = Array.from({ length: counts.isolated }, (_, at) => {
    const path = join(folder, `Shovqin ${String(at)}.wav`);
    writeFileSync(path, toneWav(200 + at * 20, 1));
    return { path, kind: 'isolate', restoresSpeech: false } as const;
  });
  const all = new Promise<void>((resolve) => {
    workspace.jobs.onChanged(() => {
      const { jobs } = workspace.jobs.list();
      if (jobs.filter(({ state }) => state.tag === 'done').length === counts.isolated) resolve();
    });
  });
  await workspace.jobs.start();
  await workspace.jobs.add(noisy);
  await all;
} finally {
  await workspace.close();
  await server.stop();
}
