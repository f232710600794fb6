import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readSearch, toMatch } from '../../shared/domain/search/search-query.ts';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { toUzbekCyrillic } from '../../shared/domain/text/transliterate-uzbek.ts';
import { openSearchIndex } from '../../electron/storage/search-index.ts';

const transcripts = Number(process.env['OVOZ_BENCH_TRANSCRIPTS'] ?? 1000);
const segments = 500;
const wordsPerSegment = 20;
const rounds = 200;

/** Words as often as people use them: the n-th stands about 1/n as often as the first. */
function createVocabulary(random: () => number) {
  const syllables = [
    'bo',
    'yo',
    'qi',
    'zar',
    'lik',
    'ma',
    'gʻa',
    'oʻr',
    'shi',
    'no',
    'ta',
    'kul',
    'со',
    'ре',
    'ст',
    'in',
    'er',
    'tion',
  ];
  const words = Array.from({ length: 90_000 }, () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, () => syllables[Math.floor(random() * syllables.length)]).join(
      '',
    ),
  );
  return { words, next: () => words[Math.floor(words.length ** random()) - 1] ?? 'va' };
}

const percentile = (times: readonly number[], share: number): string =>
  (times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0).toFixed(2);

/** The search of a library of 1,000 transcripts with 10,000 words each: how fast it is filled and asked. */
export async function benchSearch(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-search-'));
  const path = join(folder, 'search.db');
  const index = openSearchIndex(path);
  try {
    const random = seededRandom(7);
    const { words, next } = createVocabulary(random);
    const inserts: number[] = [];
    const forms = ['gʻalabakor', "g'alabakor", 'g‘alabakor', 'g’alabakor', 'g`alabakor', 'galabakor', 'ғалабакор'];
    for (let at = 0; at < transcripts; at += 1) {
      const moments = Array.from({ length: segments }, (_, place) => ({
        startMs: place * 4000,
        text: Array.from({ length: wordsPerSegment }, next).join(' '),
      }));
      if (at % 100 === 0) moments.push({ startMs: 0, text: forms[(at / 100) % forms.length] ?? '' });
      const started = performance.now();
      index.put([
        { kind: 'transcript', id: `t${String(at)}`, version: '1', title: `Yozuv ${String(at)}`, speakers: [], moments },
      ]);
      inserts.push(performance.now() - started);
    }
    const among = Array.from({ length: transcripts }, (_, at) => `transcript:t${String(at)}`);
    const ask = (text: string) => index.search({ text, among, mostItems: 25 });
    const rare = () => words[Math.floor(random() * words.length)] ?? '';
    const database = new DatabaseSync(path, { readOnly: true });
    const first50 = database.prepare('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 50');
    const time = (name: string, makeQuery: () => string, work: (query: string) => unknown = ask) => {
      const times = Array.from({ length: rounds }, () => {
        const query = makeQuery();
        const started = performance.now();
        work(query);
        return performance.now() - started;
      });
      process.stdout.write(`${name.padEnd(34)} p50 ${percentile(times, 0.5)} ms  p95 ${percentile(times, 0.95)} ms\n`);
    };
    process.stdout.write(
      `${String(transcripts)} transcripts of ${String(segments * wordsPerSegment)} words, ${(statSync(path).size / 1e6).toFixed(0)} MB\n`,
    );
    process.stdout.write(
      `one transcript read in${' '.repeat(12)} p50 ${percentile(inserts, 0.5)} ms  p95 ${percentile(inserts, 0.95)} ms\n`,
    );
    const inDatabase = (query: string) => first50.all(toMatch(readSearch(query)));
    time('50 hits in the database: a word', rare, inDatabase);
    time('  a prefix of 3 letters', () => rare().slice(0, 3), inDatabase);
    time('  two words', () => `${next()} ${next()}`, inDatabase);
    time('a word, 25 recordings and counts', rare);
    time('a common word', next);
    time('a prefix of 3 letters', () => rare().slice(0, 3));
    time('two words', () => `${next()} ${next()}`);
    const expected = Math.ceil(transcripts / 100);
    const all = [...forms, ...forms.map((form) => form.slice(0, 7)), ...forms.map((form) => toUzbekCyrillic(form))];
    database.close();
    const whole = all.filter((form) => ask(form).itemCount >= expected).length;
    process.stdout.write(
      `${String(whole)} of ${String(all.length)} queries across letters and apostrophes find every row\n`,
    );
  } finally {
    index.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
