import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import { storedMetadata } from './metadata.ts';
import type { VoiceProfile } from './voice-profile.ts';

export const enrollmentSchema = `
  CREATE TABLE IF NOT EXISTS enrollments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL,
    language TEXT NOT NULL,
    remove_noise INTEGER NOT NULL,
    profile TEXT NOT NULL,
    progress TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS used_challenges (mark TEXT PRIMARY KEY) STRICT;
`;

const profile = z.object({ colourDb: z.array(z.number()), pitchHz: z.number().nullable() });

/** What changes from step to step; times in milliseconds since 1970. */
const progress = z.object({
  transcript: z.string(),
  approvedAtMs: z.number().nullable(),
  metadata: storedMetadata,
  consentedAtMs: z.number().nullable(),
  /** The text to read; null: none at present. */
  challenge: z.object({ text: z.string(), expiresAtMs: z.number() }).nullable(),
  verification: z.enum(['not_started', 'failed', 'passed']),
  attempts: z.number(),
  heard: z.string().nullable(),
  verifiedAtMs: z.number().nullable(),
  failureCode: z.string().nullable(),
  voiceId: z.string().nullable(),
});
export type Progress = Readonly<z.output<typeof progress>>;

const status = z.enum(['transcript_review', 'details_pending', 'verification_pending', 'ready', 'failed']);
export type EnrollmentStatus = z.output<typeof status>;

const row = z.object({
  id: z.string(),
  status,
  language: z.enum(speechLanguages),
  remove_noise: z.number(),
  profile: z.string(),
  progress: z.string(),
  created_at_ms: z.number(),
  updated_at_ms: z.number(),
});

/** One voice on its way (contract 3.4). The recording itself is deleted: only its measurements are kept. */
export interface Enrollment {
  readonly id: string;
  readonly status: EnrollmentStatus;
  readonly language: SpeechLanguage;
  readonly removesNoise: boolean;
  readonly profile: VoiceProfile;
  readonly progress: Progress;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export class Enrollments {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add(entry: Omit<Enrollment, 'status' | 'progress' | 'updatedAtMs'>, transcript: string): Enrollment {
    const begun: Progress = {
      transcript,
      approvedAtMs: null,
      metadata: null,
      consentedAtMs: null,
      challenge: null,
      verification: 'not_started',
      attempts: 0,
      heard: null,
      verifiedAtMs: null,
      failureCode: null,
      voiceId: null,
    };
    this.#database
      .prepare(
        "INSERT INTO enrollments (id, status, language, remove_noise, profile, progress, created_at_ms, updated_at_ms) VALUES (?, 'transcript_review', ?, ?, ?, ?, ?, ?)",
      )
      .run(
        entry.id,
        entry.language,
        entry.removesNoise ? 1 : 0,
        JSON.stringify(entry.profile),
        JSON.stringify(begun),
        entry.createdAtMs,
        entry.createdAtMs,
      );
    return { ...entry, status: 'transcript_review', progress: begun, updatedAtMs: entry.createdAtMs };
  }

  read(id: string): Enrollment | null {
    const found = this.#database.prepare('SELECT * FROM enrollments WHERE id = ?').get(id);
    if (found === undefined) return null;
    const one = row.parse(found);
    return {
      id: one.id,
      status: one.status,
      language: one.language,
      removesNoise: one.remove_noise === 1,
      profile: profile.parse(JSON.parse(one.profile)),
      progress: progress.parse(JSON.parse(one.progress)),
      createdAtMs: one.created_at_ms,
      updatedAtMs: one.updated_at_ms,
    };
  }

  /** Takes a step and returns the updated enrollment. */
  move(enrollment: Enrollment, to: EnrollmentStatus, change: Partial<Progress>, atMs: number): Enrollment {
    const moved = { ...enrollment, status: to, progress: { ...enrollment.progress, ...change }, updatedAtMs: atMs };
    this.#database
      .prepare('UPDATE enrollments SET status = ?, progress = ?, updated_at_ms = ? WHERE id = ?')
      .run(to, JSON.stringify(moved.progress), atMs, enrollment.id);
    return moved;
  }

  /** False: the text was issued before, to anybody. */
  useChallenge(mark: string): boolean {
    return this.#database.prepare('INSERT OR IGNORE INTO used_challenges (mark) VALUES (?)').run(mark).changes === 1;
  }

  /** Deletes the measurements along with the voice. */
  forgetVoice(voiceId: string): void {
    this.#database.prepare("DELETE FROM enrollments WHERE json_extract(progress, '$.voiceId') = ?").run(voiceId);
  }
}
