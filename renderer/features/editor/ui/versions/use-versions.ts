import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { applyChange } from '../../../../../shared/domain/transcript/change.ts';
import {
  chooseRows,
  sideThatChanged,
  compareTranscripts,
  differenceOf,
  restoreRows,
  type RowChoice,
  type ComparedRow,
} from '../../../../../shared/domain/transcript/compare.ts';
import { spellName } from '../../../../../shared/domain/text/uzbek-letters.ts';
import { unpackChange } from '../../../../../shared/domain/transcript/packed.ts';
import type { Version } from '../../../../../shared/domain/transcript/versions.ts';
import { err, ok } from '../../../../../shared/result/result.ts';
import { failureOf, valueOrThrow } from '../../../../bridge/request-error.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../../lib/failure-text.ts';
import { useText } from '../../../../lib/text.ts';
import { useToast } from '../../../../ui/toast.tsx';
import { useDocument, useEditor } from '../../editor-context.ts';
import { useSync } from '../../queries.ts';

const always = { staleTime: 0, gcTime: 0, retry: false, refetchOnWindowFocus: false } as const;

export interface ShownVersion extends Omit<Version, 'kind'> {
  readonly kind: Version['kind'] | 'account';
}

/** A choice is for what both texts were when it was made. */
const keyOf = ({ before, after }: ComparedRow, remoteRevision: number): string =>
  [before, after].map((side) => side.map(({ id }) => id).join(' ')).join('|') + String(remoteRevision);

/** No revision of ours has this number. */
const inAccount: ShownVersion = { revision: -1, kind: 'account', atMs: null, name: null, label: null, editCount: 0 };

export type Versions = ReturnType<typeof useVersions>;

export function useVersions() {
  const t = useText();
  const words = useFailureText();
  const showToast = useToast();
  const studio = useStudio();
  const { detail, document: text } = useEditor();
  const now = useDeferredValue(useDocument((state) => state.transcript));
  const saving = useDocument((state) => state.saving);
  const [picked, setPicked] = useState<number | null>(null);
  const [choices, setChoices] = useState<ReadonlyMap<string, RowChoice>>(new Map());
  const list = useQuery({
    ...always,
    queryKey: ['versions', detail.id],
    queryFn: async () => {
      await text.flush();
      return (await valueOrThrow(studio.request('transcripts.versions', { transcriptId: detail.id }))).versions;
    },
  });
  const sync = useSync();
  const isConflict = sync.data?.state === 'conflict';
  const versions: readonly ShownVersion[] | null =
    list.data === undefined ? null : [...(isConflict ? [inAccount] : []), ...list.data];
  const chosen =
    versions?.find(({ revision, kind }) => kind !== 'now' && revision === picked) ??
    versions?.find(({ kind }) => kind !== 'now') ??
    null;
  const earlier = useQuery({
    ...always,
    enabled: chosen !== null,
    queryKey: ['version', detail.id, chosen?.revision],
    queryFn: async () => {
      await text.flush();
      const present = text.getState().transcript;
      const revision = chosen?.revision ?? 0;
      const transcriptId = detail.id;
      const remote =
        chosen?.kind === 'account'
          ? await valueOrThrow(studio.request('transcripts.atService', { transcriptId }))
          : null;
      const answer = remote ?? (await valueOrThrow(studio.request('transcripts.version', { transcriptId, revision })));
      const applied = applyChange(present, unpackChange(answer.change));
      // The text was changed meanwhile, so the request is repeated.
      if (!applied.ok) throw new Error(applied.error);
      const shared = remote?.base ?? null;
      const last = shared === null ? null : applyChange(present, unpackChange(shared));
      return {
        transcript: applied.value.transcript,
        remoteRevision: remote?.remoteRevision ?? null,
        base: last?.ok === true ? last.value.transcript : null,
      };
    },
    retry: 2,
  });
  const { refetch } = list;
  useEffect(() => {
    if (saving === 'saved') void refetch();
  }, [saving, refetch]);
  /** Null takes the name of a version away; its text stays. */
  const rename = async (revision: number, typed: string | null) => {
    const name = typed === null ? null : spellName(detail.transcript.language, typed);
    const named = await studio.request('transcripts.nameVersion', { transcriptId: detail.id, revision, name });
    if (!named.ok) showToast({ icon: CircleAlert, text: words(named.error).text });
    await refetch();
  };
  const before = earlier.data?.transcript ?? null;
  const remoteRevision = earlier.data?.remoteRevision ?? null;
  /** Keeps the account's text as a local version: the text becomes it, and then reverts. */
  const keepAsVersion = async () => {
    const ours = text.getState().transcript;
    if (before === null || differenceOf(ours, before).length === 0) return;
    text.edit('conflict', (present) => ok(differenceOf(present, before)));
    text.edit('restore', (present) => ok(differenceOf(present, ours)));
    await text.flush();
    const revision = text.getState().savedRevision - 1;
    if (text.getState().saving === 'saved' && revision > 0)
      await studio.request('transcripts.nameVersion', {
        transcriptId: detail.id,
        revision,
        name: t('versions.account'),
      });
  };
  const sendOurs = async (replaced: number): Promise<boolean> => {
    if (text.getState().saving !== 'saved') return false;
    const sent = await studio.request('transcripts.replaceAtService', {
      transcriptId: detail.id,
      remoteRevision: replaced,
    });
    if (!sent.ok) showToast({ icon: CircleAlert, text: words(sent.error).text });
    await sync.refetch();
    await earlier.refetch();
    return sent.ok;
  };
  const base = earlier.data?.base ?? null;
  const alone = useMemo(
    () => (base === null || before === null ? null : sideThatChanged(base, now, before)),
    [base, now, before],
  );
  const choiceOf = (row: ComparedRow): RowChoice | null =>
    choices.get(keyOf(row, remoteRevision ?? -1)) ?? alone?.(row) ?? null;
  const rows = useMemo(() => (before === null ? [] : compareTranscripts(before, now)), [before, now]);
  const isDifferent = useMemo(() => before !== null && differenceOf(now, before).length > 0, [before, now]);
  return {
    versions,
    chosen,
    choose: setPicked,
    before,
    now,
    rows,
    isDifferent,
    failure: failureOf(list.error) ?? failureOf(earlier.error),
    retry: () => {
      void list.refetch();
      void earlier.refetch();
    },
    restore: (row: ComparedRow) => {
      if (before === null) return;
      text.edit('restore', (present) => restoreRows(present, [row], before));
      void text.flush();
    },
    restoreAll: () => {
      if (before === null) return;
      text.edit('restore', (present) => {
        const change = differenceOf(present, before);
        return change.length === 0 ? err('nothing-to-change') : ok(change);
      });
      void text.flush();
    },
    conflict:
      chosen?.kind !== 'account' || before === null || remoteRevision === null
        ? null
        : {
            choiceOf,
            /** Null: both sides changed the row, or it isn't known. */
            changedBy: (row: ComparedRow) => alone?.(row) ?? null,
            choose: (row: ComparedRow, choice: RowChoice) =>
              setChoices((made) => new Map(made).set(keyOf(row, remoteRevision), choice)),
            finish: async () => {
              await keepAsVersion();
              const refused = text.edit('restore', (present) =>
                chooseRows(present, before, rows, (row) => choiceOf(row) ?? 'mine'),
              );
              if (refused !== null && refused !== 'nothing-to-change') {
                showToast({ icon: CircleAlert, text: t('versions.notCombined') });
                return false;
              }
              await text.flush();
              return sendOurs(remoteRevision);
            },
            keepThis: async () => {
              await keepAsVersion();
              await sendOurs(remoteRevision);
            },
          },
    saveNow: async (name: string) => {
      await text.flush();
      const revision = (await refetch()).data?.find(({ kind }) => kind === 'now')?.revision ?? 0;
      if (revision > 0) await rename(revision, name);
    },
    rename,
  };
}
