import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { parseFaultPlan } from '../../electron/practice/faults/fault-plan.ts';
import { startPracticeServer } from '../../electron/practice/server.ts';
import { startCli } from '../support/cli-run.ts';
import { toneWav } from '../support/wav-files.ts';

const rows = (path: string, sql: string) => {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
};

/** Answers take long enough for each kill to fall between a request and its answer. */
const rules = [
  { route: '/v1/voice-isolations', method: 'POST', fault: 'delay', ms: 1500, when: 'after' },
  { route: '/v1/voice-isolations/:id', method: 'GET', fault: 'delay', ms: 400, when: 'after' },
  { route: '/storage/:objectName', method: 'GET', fault: 'delay', ms: 800, when: 'after' },
];

test(
  'isolation killed at submit, poll and download reserves credits once and ends with one file',
  { timeout: 120_000 },
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'ovoz-isolate-'));
    const [serviceDir, dataDir, out] = ['service', 'data', 'out'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [serviceDir, dataDir, out]) mkdirSync(folder);
    const wav = join(root, 'suhbat.wav');
    writeFileSync(wav, toneWav(330, 2));
    const plan = parseFaultPlan({ rules });
    if (!plan.ok) throw new Error(plan.error);
    const service = await startPracticeServer({
      stateDir: serviceDir,
      faultPlan: plan.value,
      pace: { queuedMs: 300, processingMs: 600 },
    });
    const run = () =>
      startCli(['isolate', wav, '--json', '--out', out, '--format', 'wav'], {
        url: service.url,
        key: service.token,
        dataDir,
      });
    const log = (): string => {
      try {
        return readFileSync(join(dataDir, 'logs/cli.log'), 'utf8');
      } catch {
        return '';
      }
    };
    const count = (event: string) => log().split(`"event":"${event}"`).length - 1;
    const charges = () =>
      rows(join(serviceDir, 'practice.sqlite'), "SELECT state FROM charges WHERE operation = 'isolate'");
    /** Kills the command in this state; the test would prove nothing if it ended by itself. */
    const killAt = async (event: string, until: () => boolean = () => true) => {
      const before = count(event);
      const { child, ended } = run();
      await expect.poll(() => count(event) > before && until(), { timeout: 30_000, interval: 10 }).toBe(true);
      child.kill('SIGKILL');
      expect([event, (await ended).signal]).toEqual([event, 'SIGKILL']);
    };
    try {
      await killAt('job-sending', () => charges().length === 1);
      await killAt('job-polling');
      await killAt('job-fetching', () => readdirSync(join(dataDir, 'audio')).some((name) => name.endsWith('.part')));
      const last = await run().ended;
      expect([last.code, last.error]).toEqual([0, '']);
      expect(charges()).toEqual([{ state: 'settled' }]);

      const library = join(dataDir, 'library.db');
      const jobs = rows(library, 'SELECT kind, tag, memory FROM jobs');
      expect(jobs).toMatchObject([{ kind: 'isolate', tag: 'done' }]);
      const audio = rows(library, 'SELECT * FROM audio');
      expect(audio).toMatchObject([{ source_name: 'suhbat.wav', format: 'wav', duration_ms: 2000 }]);
      // One whole file, and no partial download beside it.
      expect(readdirSync(join(dataDir, 'audio'))).toEqual([audio[0]?.['file_name']]);
      expect(readFileSync(join(out, 'suhbat-clean.wav'))).toEqual(
        readFileSync(join(dataDir, 'audio', String(audio[0]?.['file_name']))),
      );
      // An address signed by the service is in no table and no log.
      const stored = JSON.stringify([jobs, audio, rows(library, 'SELECT event FROM job_events')]);
      expect(`${stored}${log()}`).not.toMatch(/\/storage\/|signature=|expires=/iu);
    } finally {
      await service.close();
      rmSync(root, { recursive: true, force: true });
    }
  },
);
