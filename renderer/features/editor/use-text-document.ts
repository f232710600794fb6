import { useEffect, useState } from 'react';
import { packChange } from '../../../shared/domain/transcript/packed.ts';
import { ok } from '../../../shared/result/result.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { TranscriptDetail } from '../../bridge/types.ts';
import { Scope } from '../../lib/scope.ts';
import { createTextDocument, type TextDocument } from './model/text-document.ts';
import { savesUnderWay } from './queries.ts';

/** The text of an opened transcript, saved while it is edited, and all of it when it is left or the window goes. */
export function useTextDocument({ id, transcript, revision }: TranscriptDetail): TextDocument {
  const studio = useStudio();
  const [document] = useState(() =>
    createTextDocument(transcript, revision, {
      save: async (baseRevision, edits) => {
        const saved = await studio.request('transcripts.edit', {
          transcriptId: id,
          baseRevision,
          edits: edits.map(({ label, change }) => ({ label, change: packChange(change) })),
        });
        return saved.ok ? ok(saved.value.revision) : saved;
      },
      now: () => performance.now(),
      after: (ms, run) => new Scope().after(ms, run),
    }),
  );
  useEffect(() => {
    const scope = new Scope();
    const flush = () => {
      const done = document.flush().finally(() => {
        if (savesUnderWay.get(id) === done) savesUnderWay.delete(id);
      });
      savesUnderWay.set(id, done);
    };
    scope.listen(window, 'pagehide', flush);
    scope.listen(window, 'blur', flush);
    return () => {
      scope.dispose();
      flush();
    };
  }, [document, id]);
  return document;
}
