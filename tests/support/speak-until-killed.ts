import { Secret } from '../../electron/secret/secret.ts';
import { openWorkspace } from '../../electron/workspace/open-workspace.ts';

/** A program that requests audio for one sentence and waits for it until it is killed. */
const [dataDir = '', baseUrl = '', text = ''] = process.argv.slice(2);
if (text === '') throw new Error('speak-until-killed FOLDER SERVICE TEXT');
const opened = await openWorkspace({
  mode: 'service',
  dataDir,
  source: () => ({ kind: 'service', baseUrl, key: new Secret('sk-test-0000000001') }),
  audioWorker: new URL('../../electron/entries/audio-worker.ts', import.meta.url),
  readingWorker: new URL('../../electron/entries/library-worker.ts', import.meta.url),
  log: { write: () => undefined },
  allowsLoopbackHttp: true,
});
if (!opened.ok) throw new Error(opened.error.kind);
await opened.value.speechTakes.generate({ text, language: 'uz', voiceId: 'voice_a', speed: 1 });
