import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  closeSync,
  fdatasync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { cleanUpFaults, modelStyles, writingStyles } from '../../../shared/domain/dictation/clean-up.ts';
import { longestPhrase } from '../../../shared/domain/dictation/phrase-cutter.ts';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { dictationModes } from '../../../shared/domain/dictation/take-view.ts';
import type { Phrase } from '../../../shared/domain/dictation/take.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type {
  ListedTake,
  StoredTake,
  TakeFacts,
  TakeRecord,
  TakesStore,
  TakeSpool,
} from '../../services/dictation/take-engine.ts';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { libraryFailure } from './storage-failure.ts';
import { open } from 'node:fs/promises';
import { wavHeader, wavHeaderBytes } from '../../../shared/domain/media/wav-header.ts';

const takeName = /^[0-9a-z-]{8,64}$/;
const headerBytes = 44;

const facts = lazySchema(() =>
  z.object({
    id: z.string().regex(takeName),
    startedAtMs: z.number(),
    goesOn: z.array(z.object({ from: z.int().nonnegative(), atMs: z.number() })).default([]),
    title: z.string().nullable().default(null),
    language: z.enum(speechLanguages),
    mode: z.enum(dictationModes),
    device: z.string(),
    captured: z.int().nonnegative(),
    known: z.int().nonnegative(),
    isEnded: z.boolean(),
    isPinned: z.boolean(),
    hasSound: z.boolean(),
    transcriptId: z.string().nullable(),
    lostMs: z.number(),
    rewritings: z
      .array(
        z.object({
          id: z.string(),
          style: z.enum(modelStyles),
          from: z.int().positive(),
          to: z.int().positive(),
          said: z.string(),
          written: z.string().nullable(),
          edited: z.string().nullable().default(null),
          fault: z.enum(cleanUpFaults).nullable(),
          credits: z.string().nullable(),
          isShown: z.boolean(),
        }),
      )
      .optional(),
  }),
);
const phrase = lazySchema(() =>
  z.object({
    id: z.int().positive(),
    from: z.int().nonnegative(),
    to: z.int().nonnegative().nullable(),
    state: z.enum(['speaking', 'waiting', 'failed', 'text', 'silent', 'discarded']),
    hasSpeech: z.boolean(),
    language: z.enum(speechLanguages),
    texts: z.array(z.looseObject({ language: z.enum(speechLanguages), received: z.looseObject({ text: z.string() }) })),
    unanswered: z.int().nonnegative().default(0),
    edited: z.string().nullable().default(null),
    cleanUp: z
      .object({
        style: z.enum(writingStyles).exclude(['verbatim']),
        written: z.string().nullable(),
        fault: z.enum(cleanUpFaults).nullable(),
        credits: z.string().nullable(),
      })
      .nullable()
      .default(null),
    showsRaw: z.boolean().default(false),
    failure: z.object({ row: z.string(), code: z.string() }).nullable(),
    deliveredTo: z.string().nullable(),
  }),
);

/** For takes an older version left behind. Audio moves before the journal; the rest is tried at the next start. */
export function bringTakes(from: string, to: string): void {
  if (from === to || !existsSync(from)) return;
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const names = readdirSync(from).filter((name) => /^[0-9a-z-]{8,64}\.(wav|jsonl)$/.test(name));
  for (const name of names.toSorted(
    (one, other) => Number(one.endsWith('.jsonl')) - Number(other.endsWith('.jsonl')),
  )) {
    const arriving = join(to, `${name}.part`);
    try {
      if (!existsSync(join(to, name))) {
        copyFileSync(join(from, name), arriving);
        renameSync(arriving, join(to, name));
      }
      rmSync(join(from, name), { force: true });
    } catch {
      rmSync(arriving, { force: true });
      return;
    }
  }
}

/** In the journal the last line about something is valid; a line that a crash cut off is skipped. */
export function openTakesFolder(folder: string): TakesStore {
  const audioPath = (id: string): string => join(folder, `${id}.wav`);
  const journalPath = (id: string): string => join(folder, `${id}.jsonl`);

  const read = (id: string): StoredTake | null => {
    if (!takeName.test(id) || !existsSync(journalPath(id))) return null;
    let known: TakeFacts | null = null;
    let rewritings: TakeFacts['rewritings'] = [];
    const phrases: Phrase[] = [];
    for (const line of readFileSync(journalPath(id), 'utf8').split('\n')) {
      const entry = parsed(line);
      if (entry === null) continue;
      const asFacts = facts().safeParse(entry['facts']);
      if (asFacts.success) {
        rewritings = asFacts.data.rewritings ?? rewritings;
        known = { ...asFacts.data, rewritings };
      }
      const asPhrase = phrase().safeParse(entry['phrase']);
      if (asPhrase.success) phrases[asPhrase.data.id - 1] = asPhrase.data as unknown as Phrase;
    }
    if (known === null) return null;
    return mended({ ...known, hasSound: existsSync(audioPath(id)) }, phrases, audioPath(id));
  };

  /** The library reads the list for every letter of a search, so only journals that grew are parsed again. */
  const parsedTakes = new Map<string, ListedTake>();
  const readUnlessKnown = (id: string): ListedTake | null => {
    const journal = statSync(journalPath(id), { throwIfNoEntry: false });
    const revision = `${String(journal?.size)} ${String(journal?.mtimeMs)} ${String(existsSync(audioPath(id)))}`;
    const known = parsedTakes.get(id);
    // During dictation the audio grows without its journal.
    if (known?.revision === revision && known.facts.isEnded) return known;
    const take = read(id);
    if (take === null) return null;
    const listed = { ...take, revision };
    parsedTakes.set(id, listed);
    return listed;
  };

  const append = (id: string, lines: string): void => appendFileSync(journalPath(id), lines, { mode: 0o600 });

  const recordOf = (id: string, file: TakeFile, onTrouble: (error: unknown) => void): TakeRecord => {
    let unwritten = '';
    let rewritings: TakeFacts['rewritings'] | null = null;
    const writeLines = (): void => {
      try {
        if (unwritten !== '') append(id, unwritten);
        unwritten = '';
      } catch (error) {
        // A part of them may be in the file, without the end of its line.
        if (!unwritten.startsWith('\n')) unwritten = `\n${unwritten}`;
        onTrouble(error);
      }
    };
    return {
      spool: file,
      write(now, changed) {
        // Whole texts, which would be written again with every phrase.
        const written = { ...now, rewritings: now.rewritings === rewritings ? undefined : now.rewritings };
        ({ rewritings } = now);
        const lines = [...changed.map((one) => ({ phrase: one })), { facts: written }];
        unwritten += lines.map((line) => `${JSON.stringify(line)}\n`).join('');
        writeLines();
      },
      async finish() {
        writeLines();
        return (await file.finish()) && unwritten === '';
      },
      close: () => file.close(),
    };
  };

  const attempt = <T>(work: () => T): Result<T> => {
    try {
      return ok(work());
    } catch (error) {
      return err(libraryFailure(error));
    }
  };

  return {
    create: (now, onTrouble) =>
      attempt(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const file = TakeFile.create(audioPath(now.id), onTrouble);
        append(now.id, `${JSON.stringify({ facts: now })}\n`);
        return recordOf(now.id, file, onTrouble);
      }),
    async list() {
      if (!existsSync(folder)) return [];
      const ids = readdirSync(folder)
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => name.slice(0, -'.jsonl'.length));
      for (const id of parsedTakes.keys()) if (!ids.includes(id)) parsedTakes.delete(id);
      return ids
        .map((id) => readUnlessKnown(id))
        .filter((take) => take !== null)
        .toSorted((a, b) => b.facts.startedAtMs - a.facts.startedAtMs);
    },
    open(id, onTrouble) {
      const opened = attempt(() => {
        const take = read(id);
        if (take === null || !take.facts.hasSound) return null;
        // A full disk may have left the file shorter than the take.
        const sizeBytes = Math.max(statSync(audioPath(id)).size, headerBytes + take.facts.captured * 2);
        const file = TakeFile.open(audioPath(id), sizeBytes, onTrouble);
        return { ...recordOf(id, file, onTrouble), ...take };
      });
      if (!opened.ok) return opened;
      return opened.value === null ? err(localFailure('data-folder-unwritable')) : ok(opened.value);
    },
    read,
    change: (id, part) =>
      attempt(() => {
        const take = read(id);
        if (take === null) return false;
        append(id, `${JSON.stringify({ facts: { ...take.facts, ...part } })}\n`);
        return true;
      }),
    changePhrase: (id, changed) =>
      attempt(() => {
        append(id, `${JSON.stringify({ phrase: changed })}\n`);
      }),
    audioPath,
    removeAudio: (id) => {
      rmSync(audioPath(id), { force: true });
    },
    remove: (id) => {
      rmSync(audioPath(id), { force: true });
      rmSync(journalPath(id), { force: true });
    },
  };
}

function parsed(line: string): Record<string, unknown> | null {
  if (line === '') return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** After a crash the open phrase ends where the audio ends, and audio outside of phrases becomes waiting phrases. */
function mended(known: TakeFacts, phrases: readonly Phrase[], path: string): StoredTake {
  if (known.isEnded) return { facts: known, phrases };
  const captured = known.hasSound ? Math.max(0, Math.floor((statSync(path).size - headerBytes) / 2)) : known.captured;
  const mendedPhrases = phrases.map((one): Phrase =>
    one.to === null ? { ...one, to: Math.min(captured, one.from + longestPhrase), state: 'waiting' } : one,
  );
  let from = Math.max(known.known, ...mendedPhrases.map(({ to }) => to ?? 0));
  for (; from < captured; from += longestPhrase) {
    const to = Math.min(captured, from + longestPhrase);
    mendedPhrases.push({
      id: mendedPhrases.length + 1,
      from,
      to,
      language: known.language,
      state: 'waiting',
      hasSpeech: false,
      texts: [],
      unanswered: 0,
      edited: null,
      cleanUp: null,
      showsRaw: false,
      failure: null,
      deliveredTo: null,
    });
  }
  return { facts: { ...known, captured, known: captured, isEnded: true }, phrases: mendedPhrases };
}

const rate = 16_000;
const syncEveryMs = 1000;
/** How much is kept in memory when the disk refuses: the last minute, from which phrases are still sent. */
const memoryBytes = 60 * rate * 2;

/** A WAV that any player opens, also after a crash: its header is at most a second behind. */
export class TakeFile implements TakeSpool {
  readonly #fd: number;
  readonly #onTrouble: (error: unknown) => void;
  #bytes: number;
  #unwritten: Buffer = Buffer.alloc(0);
  #syncedAtMs = 0;
  #isSyncing = false;
  #isClosed = false;

  private constructor(fd: number, bytes: number, onTrouble: (error: unknown) => void) {
    this.#fd = fd;
    this.#bytes = bytes;
    this.#onTrouble = onTrouble;
  }

  static create(path: string, onTrouble: (error: unknown) => void): TakeFile {
    const fd = openSync(path, 'wx+', 0o600);
    writeSync(fd, wavHeader(0, rate), 0, wavHeaderBytes, 0);
    return new TakeFile(fd, 0, onTrouble);
  }

  static open(path: string, sizeBytes: number, onTrouble: (error: unknown) => void): TakeFile {
    const fd = openSync(path, 'r+');
    const bytes = Math.max(0, sizeBytes - wavHeaderBytes) & ~1;
    ftruncateSync(fd, wavHeaderBytes + bytes);
    writeSync(fd, wavHeader(bytes, rate), 0, wavHeaderBytes, 0);
    return new TakeFile(fd, bytes, onTrouble);
  }

  get samples(): number {
    return (this.#bytes + this.#unwritten.length) / 2;
  }

  append(pcm: Uint8Array): void {
    const waiting = this.#unwritten.length === 0 ? pcm : Buffer.concat([this.#unwritten, pcm]);
    try {
      let written = 0;
      while (written < waiting.length)
        written += writeSync(
          this.#fd,
          waiting,
          written,
          waiting.length - written,
          wavHeaderBytes + this.#bytes + written,
        );
      this.#bytes += waiting.length;
      this.#unwritten = Buffer.alloc(0);
      this.#syncNowAndThen();
    } catch (error) {
      const lostBytes = Math.max(0, waiting.length - memoryBytes);
      this.#bytes += lostBytes;
      this.#unwritten = Buffer.from(waiting.subarray(lostBytes));
      this.#onTrouble(error);
    }
  }

  read(fromSample: number, toSample: number): Uint8Array {
    const from = fromSample * 2;
    const audio = Buffer.alloc((toSample - fromSample) * 2);
    const fromDisk = Math.max(0, Math.min(audio.length, this.#bytes - from));
    if (fromDisk > 0) readSync(this.#fd, audio, 0, fromDisk, wavHeaderBytes + from);
    this.#unwritten.copy(audio, fromDisk, Math.max(0, from - this.#bytes));
    return audio;
  }

  async finish(): Promise<boolean> {
    if (this.#isClosed) return true;
    this.append(new Uint8Array());
    if (this.#unwritten.length > 0) return false;
    try {
      this.#writeHeader();
    } catch (error) {
      this.#onTrouble(error);
      return false;
    }
    await new Promise<void>((resolve) => {
      fdatasync(this.#fd, () => resolve());
    });
    return true;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#fd);
  }

  #syncNowAndThen(): void {
    const nowMs = performance.now();
    if (this.#isSyncing || nowMs - this.#syncedAtMs < syncEveryMs) return;
    this.#syncedAtMs = nowMs;
    this.#isSyncing = true;
    this.#writeHeader();
    fdatasync(this.#fd, (error) => {
      this.#isSyncing = false;
      if (error !== null && !this.#isClosed) this.#onTrouble(error);
    });
  }

  #writeHeader(): void {
    writeSync(this.#fd, wavHeader(this.#bytes, rate), 0, wavHeaderBytes, 0);
  }
}

/** Audio that is already in a file, at some offset; read and never written. */
export async function openRecordedAudio(
  path: string,
  dataOffset: number,
): Promise<TakeSpool & { close(): Promise<void> }> {
  const file = await open(path, 'r');
  return {
    append: () => undefined,
    read(fromSample, toSample) {
      const audio = Buffer.alloc((toSample - fromSample) * 2);
      readSync(file.fd, audio, 0, audio.length, dataOffset + fromSample * 2);
      return audio;
    },
    close: () => file.close(),
  };
}
