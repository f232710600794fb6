import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readSearch, toMatch } from '../../shared/domain/search/search-query.ts';
import { median } from './figures.ts';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { toUzbekCyrillic } from '../../shared/domain/text/transliterate-uzbek.ts';
import { openSearchIndex } from '../../electron/storage/search-index.ts';

const transcripts = Number(process.env['OVOZ_BENCH_TRANSCRIPTS'] ?? 1000);
const segments = 500;
const wordsPerSegment = 20;
const rounds = 200;

/** Word frequencies as in real language: the n-th word occurs about 1/n as often as the first (Zipf's law). */
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

interface Sample {
  readonly id: string;
  readonly title: string;
  readonly moments: readonly { readonly startMs: number; readonly text: string }[];
}

const forms = ['gʻalabakor', "g'alabakor", 'g‘alabakor', 'g’alabakor', 'g`alabakor', 'galabakor', 'ғалабакор'];

function* makeSamples(next: () => string): Generator<Sample> {
  for (let at = 0; at < transcripts; at += 1) {
    const moments = Array.from({ length: segments }, (_, place) => ({
      startMs: place * 4000,
      text: Array.from({ length: wordsPerSegment }, next).join(' '),
    }));
    if (at % 100 === 0) moments.push({ startMs: 0, text: forms[(at / 100) % forms.length] ?? '' });
    yield { id: `t${String(at)}`, title: `Yozuv ${String(at)}`, moments };
  }
}

/** Each query runs three times and the median counts, which filters out other load. */
function timed(name: string, makeQuery: () => string, work: (query: string) => unknown): void {
  const times = Array.from({ length: rounds }, () => {
    const query = makeQuery();
    const runs = Array.from({ length: 3 }, () => {
      const started = performance.now();
      work(query);
      return performance.now() - started;
    });
    return median(runs);
  });
  process.stdout.write(`${name.padEnd(40)} p50 ${percentile(times, 0.5)} ms  p95 ${percentile(times, 0.95)} ms\n`);
}

export async function benchSearch(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-search-'));
  const path = join(folder, 'search.db');
  const index = openSearchIndex(path);
  try {
    const random = seededRandom(7);
    const { words, next } = createVocabulary(random);
    const rare = () => words[Math.floor(random() * words.length)] ?? '';
    const questions = [
      ['a word', rare],
      ['a prefix of 3 letters', () => rare().slice(0, 3)],
      ['two words', () => `${next()} ${next()}`],
    ] as const;
    const inserts: number[] = [];
    let letters = 0;
    for (const { id, title, moments } of makeSamples(next)) {
      letters += moments.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      const started = performance.now();
      index.put([{ kind: 'transcript', id, version: '1', title, speakers: [], moments }]);
      inserts.push(performance.now() - started);
    }
    const size = statSync(path).size;
    process.stdout.write(
      `${String(transcripts)} transcripts of ${String(segments * wordsPerSegment)} words: ${(letters / 1e6).toFixed(0)} MB of text, ${(size / 1e6).toFixed(0)} MB with the index\n`,
    );
    process.stdout.write(
      `one transcript read in${' '.repeat(18)} p50 ${percentile(inserts, 0.5)} ms  p95 ${percentile(inserts, 0.95)} ms\n`,
    );
    const database = new DatabaseSync(path, { readOnly: true });
    const first50 = database.prepare('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid LIMIT 50');
    for (const [name, question] of questions)
      timed(`first 50 hits: ${name}`, question, (query) => first50.all(toMatch(readSearch(query))));
    database.close();

    const among = Array.from({ length: transcripts }, (_, at) => `transcript:t${String(at)}`);
    const ask = (text: string) => index.search({ text, among, mostItems: 25 });
    for (const [name, question] of [...questions, ['a common word', next] as const])
      timed(`25 recordings, moments, counts: ${name}`, question, ask);
    const expected = Math.ceil(transcripts / 100);
    const all = [...forms, ...forms.map((form) => form.slice(0, 7)), ...forms.map((form) => toUzbekCyrillic(form))];
    const whole = all.filter((form) => ask(form).itemCount >= expected).length;
    process.stdout.write(
      `${String(whole)} of ${String(all.length)} queries across letters and apostrophes find every row\n`,
    );
  } finally {
    index.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
