import { z } from 'zod';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import type { KnownSpeaker } from '../../../shared/domain/library/library-item.ts';
import type { Change } from '../../../shared/domain/transcript/change.ts';
import { mergeSpeakers } from '../../../shared/domain/transcript/edit-speakers.ts';
import { packChange } from '../../../shared/domain/transcript/packed.ts';
import { cleanSpokenText } from '../../../shared/domain/transcript/spoken-text.ts';
import type { Speaker } from '../../../shared/domain/transcript/transcript.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { ClientClock } from '../../service/transport.ts';
import { readNote } from '../library/store.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';

const book = lazySchema(() =>
  z.object({
    kept: z.array(z.object({ name: z.string(), colour: z.int().min(1).max(8).nullable() })),
    forgotten: z.array(z.string()),
  }),
);
type BookFacts = z.output<ReturnType<typeof book>>;

type BookStore = Pick<LibraryStore, 'note' | 'saveNote' | 'listSpeakers' | 'transcript' | 'editAll'>;

export function createSpeakerBook(
  store: BookStore,
  isGone: (transcriptId: string) => boolean,
  clock: Pick<ClientClock, 'now'>,
) {
  const read = (): BookFacts => readNote<BookFacts>(store, 'speaker-book', book(), { kept: [], forgotten: [] });
  const write = (facts: BookFacts) => store.saveNote('speaker-book', JSON.stringify(facts));
  const uses = () => {
    const listed = store.listSpeakers();
    return listed.ok ? ok(listed.value.filter(({ transcriptId }) => !isGone(transcriptId))) : listed;
  };

  const changeOf = (
    { transcriptId, speakers }: { readonly transcriptId: string; readonly speakers: readonly Speaker[] },
    was: string,
    name: string,
    colour: number | null,
  ): Change | null => {
    const recoloured = (one: Speaker): Speaker => (colour === null ? { ...one, name } : { ...one, name, colour });
    const from = speakers.find((one) => one.name === was);
    const into = speakers.find((one) => one.name === name && one !== from);
    if (from === undefined) return null;
    if (into === undefined || was === name) {
      const changed = speakers.map((one) => (one.name === was ? recoloured(one) : one));
      return JSON.stringify(changed) === JSON.stringify(speakers) ? null : [{ type: 'speakers', speakers: changed }];
    }
    const whole = store.transcript(transcriptId);
    const merged = whole.ok && whole.value !== null ? mergeSpeakers(whole.value.transcript, from.id, into.id) : null;
    if (merged === null || !merged.ok) return null;
    return merged.value.map((step) =>
      step.type === 'speakers'
        ? { ...step, speakers: step.speakers.map((one) => (one.name === name ? recoloured(one) : one)) }
        : step,
    );
  };

  return {
    list(): Result<readonly KnownSpeaker[]> {
      const used = uses();
      if (!used.ok) return used;
      const { kept, forgotten } = read();
      const known = new Map<string, { colour: number | null; count: number }>();
      for (const { speakers } of used.value) {
        for (const name of new Set(speakers.flatMap((one) => one.name ?? []))) {
          const before = known.get(name);
          const colour = before?.colour ?? speakers.find((one) => one.name === name && one.colour)?.colour ?? null;
          known.set(name, { colour, count: (before?.count ?? 0) + 1 });
        }
      }
      // A name that no recording has any more need not stay on disk just to be hidden.
      const stillHidden = forgotten.filter((name) => known.has(name));
      if (stillHidden.length < forgotten.length) {
        const pruned = write({ kept, forgotten: stillHidden });
        if (!pruned.ok) return pruned;
      }
      for (const { name, colour } of kept)
        known.set(name, { colour: colour ?? known.get(name)?.colour ?? null, count: known.get(name)?.count ?? 0 });
      for (const name of stillHidden) known.delete(name);
      return ok(
        [...known]
          .map(([name, facts]) => ({ name, ...facts }))
          .toSorted((one, other) => other.count - one.count || one.name.localeCompare(other.name)),
      );
    },

    /** An existing name merges two people; `was` null adds a name. deleted-at-service for an empty name. */
    save(was: string | null, typed: string, colour: number | null): Result<{ readonly changedCount: number }> {
      const name = cleanSpokenText(typed);
      if (name === '') return err(localFailure('deleted-at-service', { code: 'empty_name' }));
      const used = uses();
      if (!used.ok) return used;
      const atMs = clock.now();
      const edits = (was === null ? [] : used.value).flatMap((use) => {
        const change = changeOf(use, was ?? '', name, colour);
        const edit = { atMs, label: was === name ? 'colour' : 'rename', change: packChange(change ?? []) };
        return change === null ? [] : [{ id: use.transcriptId, baseRevision: use.revision, edits: [edit] }];
      });
      const saved = edits.length === 0 ? ok(0) : store.editAll(edits);
      if (!saved.ok) return saved;
      const { kept, forgotten } = read();
      const before = kept.find((one) => one.name === name) ?? kept.find((one) => one.name === was);
      const noted = write({
        kept: [
          ...kept.filter((one) => one.name !== name && one.name !== was),
          { name, colour: colour ?? before?.colour ?? null },
        ],
        forgotten: forgotten.filter((one) => one !== name && one !== was),
      });
      return noted.ok ? ok({ changedCount: saved.value }) : noted;
    },

    forget(name: string): Result<null> {
      const { kept, forgotten } = read();
      return write({
        kept: kept.filter((one) => one.name !== name),
        forgotten: [...new Set([...forgotten, name])],
      });
    },
  };
}
