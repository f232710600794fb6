import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../tests/support/for-all.ts';
import { someJob } from '../../tests/support/some-jobs.ts';
import { writeDiagnostics, type DiagnosticsSource } from './use-diagnostics.ts';

const job = (name: string) => ({ ...someJob('job-secret-id', { tag: 'waiting', placeInQueue: 1 }), name });
const source = (error: unknown, name = 'Maxfiy yozuv.wav'): DiagnosticsSource => ({
  error,
  atMs: 0,
  app: null,
  jobs: [job(name), job(name)],
  location: '/transcripts/t-secret-id',
});

it('reports where the defect is and the state of the queue', () => {
  const error = new TypeError('word “Maxfiy soʻz” of /home/zulfiya/file.wav with sk_live_0123456789');
  error.stack = `TypeError: ${error.message}
    at paintWord (app://studio/assets/index-Dx81.js:1:2045)
    at new Turn (/home/zulfiya/app/turn.js:3:4)
    at app://studio/assets/index-Dx81.js:9:9`;
  const text = writeDiagnostics(source(error));
  expect(text).toContain('error: TypeError');
  expect(text).toContain('paintWord index-Dx81.js:1:2045');
  expect(text).toContain('Turn turn.js:3:4');
  expect(text).toContain('screen: transcripts');
  expect(text).toContain('jobs: waiting 2');
  expect(text).not.toMatch(/zulfiya|Maxfiy|sk_live|secret|home/);
});

it('whatever an error says, nothing of its message and no file name is included', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9_]{12,30}$/).map((text) => `Zq${text}qZ`);
  forAll(secret, fc.constantFrom('', '\n', '\n    at ', '/', ' (', ':1:1'), (text, glue) => {
    const error = new Error(`${glue}${text}${glue}`);
    expect(writeDiagnostics(source(error, `${text}.wav`))).not.toContain(text);
  });
});
