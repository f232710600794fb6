import { useEffect, useState } from 'react';
import { findMatches, type TextQuery } from '../../../shared/domain/transcript/find-text.ts';
import { unpackChange } from '../../../shared/domain/transcript/packed.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { saveBeforeLeaving } from '../../bridge/save-before-leaving.ts';
import { isTextName } from '../../../shared/domain/imports/read-subtitles.ts';
import type { Player } from '../../audio/player.ts';
import type { StudioClient } from '../../bridge/client.ts';
import type { TranscriptDetail } from '../../bridge/types.ts';
import { Scope } from '../../lib/scope.ts';
import { createTextDocument, type TextDocument } from './model/text-document.ts';
import { savesUnderWay } from './queries.ts';

const opened = new Map<string, TextDocument>();
/** About thirty hours of speech, and some 30 MB. */
const mostWords = 300_000;
const wordCount = (text: TextDocument) =>
  text.getState().transcript.segments.reduce((sum, { words }) => sum + words.length, 0);
saveBeforeLeaving(async () => {
  const texts = [...opened.values()];
  await Promise.all(texts.map((text) => text.flush()));
  return texts.every((text) => text.getState().saving === 'saved');
});

function takeUp({ id, revision, transcript: { language } }: TranscriptDetail): TextDocument | null {
  const known = opened.get(id);
  // What could not be saved yet is still in it.
  if (known === undefined || known.getState().saving === 'stale' || known.getState().savedRevision !== revision)
    return null;
  known.setState((state) => ({
    caret: null,
    // The language can be changed elsewhere too, and is no edit.
    transcript: state.transcript.language === language ? state.transcript : { ...state.transcript, language },
  }));
  return known;
}

function keep(id: string, document: TextDocument): TextDocument {
  opened.delete(id);
  opened.set(id, document);
  let words = [...opened.values()].reduce((sum, text) => sum + wordCount(text), 0);
  for (const [other, text] of opened) {
    if (words <= mostWords) break;
    if (other === id || text.getState().saving !== 'saved') continue;
    words -= wordCount(text);
    opened.delete(other);
  }
  return document;
}

export interface FoundElsewhere {
  readonly id: string;
  readonly text: TextDocument;
  readonly count: number;
}

/** Matches in the other open texts that are saved in their current state; searched again in each `round` of replacing. */
export function findElsewhere(
  id: string,
  query: TextQuery,
  round: number,
  clock: () => number,
): readonly FoundElsewhere[] {
  // Speaker ids differ between texts.
  const isMeant = query.text !== '' && query.speakerId === null && round >= 0;
  return [...(isMeant ? opened : [])].flatMap(([other, text]) => {
    const { transcript, saving } = text.getState();
    if (other === id || saving !== 'saved') return [];
    const found = findMatches(transcript, query, clock);
    return found.ok && found.value.length > 0 ? [{ id: other, text, count: found.value.length }] : [];
  });
}

/** A deleted text must not stay in memory. */
export const forgetDocument = (id: string) => opened.delete(id);

/** Undoing goes on where it was when the app ended, however it ended. */
async function recall(studio: StudioClient, transcriptId: string, revision: number, text: TextDocument): Promise<void> {
  const found = await studio.request('transcripts.steps', { transcriptId });
  // Saved meanwhile, those edits are in the text's own history.
  if (!found.ok || found.value.revision !== revision) return;
  text.recall(
    found.value.steps.map(({ label, forward, backward }) => ({
      label,
      forward: unpackChange(forward),
      backward: unpackChange(backward),
    })),
  );
}

/** Saved during editing, and completely when it is left, the window loses the focus, or before it closes. */
export function useTextDocument(detail: TranscriptDetail): TextDocument {
  const { id, revision } = detail;
  const studio = useStudio();
  const [document] = useState(() => {
    const known = takeUp(detail);
    if (known !== null) return keep(id, known);
    const made = createTextDocument(detail, studio);
    if (revision > 0) void recall(studio, id, revision, made);
    return keep(id, made);
  });
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

export function useRecordingLength(
  { id, sourceName, mediaUrl }: TranscriptDetail,
  player: Player,
  document: TextDocument,
): void {
  const studio = useStudio();
  const isAttached = mediaUrl !== null && isTextName(sourceName);
  useEffect(() => {
    if (!isAttached) return undefined;
    let isLeft = false;
    let askedMs = -1;
    const measure = async () => {
      const { status, durationMs } = player.getState();
      if ((status !== 'ready' && status !== 'failed') || durationMs === askedMs) return;
      askedMs = durationMs;
      const heardMs = durationMs > 0 ? durationMs : null;
      const measured = await studio.request('transcripts.measureRecording', { transcriptId: id, heardMs });
      if (!isLeft && measured.ok && measured.value.recordingMs !== null)
        document.setRecordingLength(measured.value.recordingMs);
    };
    void measure();
    const stop = player.subscribe(() => void measure());
    return () => {
      isLeft = true;
      stop();
    };
  }, [studio, id, isAttached, mediaUrl, player, document]);
}
