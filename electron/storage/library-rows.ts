import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { speechLanguages } from '../../shared/domain/languages.ts';
import type { LibraryItem } from '../../shared/domain/library/library-item.ts';

const row = lazySchema(() =>
  z.object({
    id: z.string(),
    title: z.string(),
    source_name: z.string(),
    created_at_ms: z.number(),
    language: z.enum(speechLanguages),
    duration_ms: z.number(),
    speakers: z.string(),
    remote_id: z.string().nullable(),
    size_bytes: z.number(),
  }),
);
const speakerNames = lazySchema(() => z.array(z.object({ name: z.string().nullable() })));

function namesIn(speakers: string): readonly (string | null)[] {
  try {
    return speakerNames()
      .parse(JSON.parse(speakers))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/** The transcripts of a library as its list shows them, the newest first. One that can't be understood is left out. */
export const readTranscriptItems = (database: DatabaseSync): readonly LibraryItem[] =>
  database
    .prepare(
      `SELECT t.id, t.title, t.source_name, t.created_at_ms, t.language, t.duration_ms, t.speakers, t.remote_id,
         m.size_bytes FROM transcripts t JOIN media m ON m.sha256 = t.media_sha256
       ORDER BY t.created_at_ms DESC, t.id`,
    )
    .all()
    .flatMap((found) => {
      const read = row().safeParse(found);
      if (!read.success) return [];
      const { id, title, language, speakers } = read.data;
      return {
        kind: 'transcript' as const,
        id,
        title,
        sourceName: read.data.source_name,
        language,
        createdAtMs: read.data.created_at_ms,
        durationMs: read.data.duration_ms,
        speakers: namesIn(speakers),
        sizeBytes: read.data.size_bytes,
        credits: null,
        isAtService: read.data.remote_id !== null,
        trashedAtMs: null,
      };
    });
