import { useEffect, useState } from 'react';
import { packChange } from '../../../shared/domain/transcript/packed.ts';
import { ok } from '../../../shared/result/result.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { TranscriptDetail } from '../../bridge/types.ts';
import { Scope } from '../../lib/scope.ts';
import { createTextDocument, type TextDocument } from './model/text-document.ts';
import { savesUnderWay } from './queries.ts';

/** Recently opened texts with their undo history, which is reused while nothing else has changed them. */
const opened = new Map<string, TextDocument>();
const mostOpened = 6;

function takeUp({ id, revision, transcript: { language } }: TranscriptDetail): TextDocument | null {
  const known = opened.get(id);
  if (known?.getState().saving !== 'saved' || known.getState().savedRevision !== revision) return null;
  // The language can be changed elsewhere too, and is no edit.
  known.setState((state) =>
    state.transcript.language === language ? state : { transcript: { ...state.transcript, language } },
  );
  return known;
}

function keep(id: string, document: TextDocument): TextDocument {
  opened.delete(id);
  opened.set(id, document);
  const [oldest] = opened.keys();
  if (opened.size > mostOpened && oldest !== undefined) opened.delete(oldest);
  return document;
}

/** The other open texts, each saved in its current state. */
export const otherOpenTexts = (id: string): readonly TextDocument[] =>
  [...opened].flatMap(([other, text]) => (other !== id && text.getState().saving === 'saved' ? [text] : []));

/** A deleted text must not stay in memory. */
export const forgetDocument = (id: string): void => {
  opened.delete(id);
};

/** The text of an opened transcript, saved during editing, and completely when it is left or the window closes. */
export function useTextDocument(detail: TranscriptDetail): TextDocument {
  const { id, transcript, revision } = detail;
  const studio = useStudio();
  const [document] = useState(() =>
    keep(
      id,
      takeUp(detail) ??
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
    ),
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
