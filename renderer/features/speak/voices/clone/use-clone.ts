import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import type { CloneChange, CloneSending, CloneStep } from '../../../../../shared/domain/voices/clone-draft.ts';
import type { Failure } from '../../../../../shared/result/failure.ts';
import { err } from '../../../../../shared/result/result.ts';
import { valueOrThrow } from '../../../../bridge/request-error.ts';
import { useConnection } from '../../../../bridge/live-state.tsx';
import { saveBeforeLeaving } from '../../../../bridge/save-before-leaving.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import type { ShownDraft } from '../../../../bridge/types.ts';
import type { SpeechVoice } from '../../../../../shared/domain/speech/voices.ts';

const saveAfterMs = 400;

/** The voice being cloned, as stored by main. */
export interface Clone {
  readonly draft: ShownDraft | null;
  readonly capabilities: { readonly eligible: boolean; readonly available: boolean } | null;
  readonly isLoading: boolean;
  /** The step that is on its way. */
  readonly sending: CloneSending | null;
  readonly saving: 'saved' | 'saving' | Failure;
  /** What was refused here, before anything was sent. */
  readonly failure: Failure | null;
  /** Saved a moment after the last change. */
  readonly change: (change: CloneChange) => void;
  readonly send: (sending: CloneSending) => Promise<ShownDraft | null>;
  readonly cancel: () => void;
  readonly reload: () => Promise<void>;
  readonly show: (draft: ShownDraft) => void;
  readonly fail: (failure: Failure) => void;
  readonly discard: () => Promise<boolean>;
}

/** `isOn`: the draft is shown somewhere. */
export function useClone(isOn: boolean): Clone {
  const studio = useStudio();
  const client = useQueryClient();
  const { mode } = useConnection();
  const queryKey = ['clone', mode];
  const query = useQuery({
    queryKey,
    queryFn: () => valueOrThrow(studio.request('clone.read', {})),
    retry: false,
    enabled: isOn,
    staleTime: Infinity,
  });
  const [saving, setSaving] = useState<Clone['saving']>('saved');
  const [failure, setFailure] = useState<Failure | null>(null);
  const pending = useRef<{ change: CloneChange; timer: ReturnType<typeof setTimeout> | undefined } | null>(null);
  const lastSave = useRef<Promise<Failure | null>>(Promise.resolve(null));
  const set = (patch: Partial<NonNullable<typeof query.data>>) => {
    client.setQueryData<typeof query.data>(queryKey, (before) => ({
      draft: null,
      capabilities: null,
      ...before,
      ...patch,
    }));
  };
  const saveWaiting = async (): Promise<Failure | null> => {
    const waiting = pending.current;
    if (waiting === null) return null;
    clearTimeout(waiting.timer);
    pending.current = null;
    const saved = await studio.request('clone.change', waiting.change as never);
    // TypeScript does not see that it can change during the request.
    const newer = pending.current as typeof waiting | null;
    // What was refused is saved with the next change, or before the next step.
    if (!saved.ok) pending.current = { change: { ...waiting.change, ...newer?.change }, timer: newer?.timer };
    if (newer === null) setSaving(saved.ok ? 'saved' : saved.error);
    return saved.ok ? null : saved.error;
  };
  /** Saves what is not saved yet, after what is on its way. */
  const flush = () => (lastSave.current = lastSave.current.then(saveWaiting, saveWaiting));
  useEffect(() => saveBeforeLeaving(async () => (await flush()) === null));
  /** A stored draft with what is not saved yet. */
  const withPending = (stored: ShownDraft): ShownDraft => ({ ...stored, ...pending.current?.change });
  const draft = query.data?.draft ?? null;
  const mutation = useMutation({
    mutationFn: async (sending: CloneSending) => {
      // Main sends the stored draft, which must be the one that is shown.
      const unsaved = await flush();
      return unsaved === null ? studio.request('clone.send', { sending }) : err(unsaved);
    },
  });
  return {
    draft,
    capabilities: query.data?.capabilities ?? null,
    isLoading: query.isLoading,
    sending: mutation.isPending ? mutation.variables : null,
    saving,
    failure,
    change(change) {
      if (draft !== null) set({ draft: { ...draft, ...change } });
      if (pending.current !== null) clearTimeout(pending.current.timer);
      setSaving('saving');
      pending.current = {
        change: { ...pending.current?.change, ...change },
        timer: setTimeout(() => void flush(), saveAfterMs),
      };
    },
    async send(sending) {
      setFailure(null);
      const answer = await mutation.mutateAsync(sending);
      if (!answer.ok) {
        setFailure(answer.error);
        return null;
      }
      set({ draft: withPending(answer.value.draft) });
      return answer.value.draft;
    },
    cancel: useCallback(() => void studio.request('clone.cancel', {}), [studio]),
    async reload() {
      await flush();
      setFailure(null);
      const { data } = await query.refetch();
      if (data?.draft != null) set({ draft: withPending(data.draft) });
    },
    show(shown) {
      setFailure(null);
      set({ draft: shown });
    },
    fail: setFailure,
    async discard() {
      if (pending.current !== null) clearTimeout(pending.current.timer);
      pending.current = null;
      const answer = await studio.request('clone.discard', {});
      if (!answer.ok) setFailure(answer.error);
      else {
        setFailure(null);
        set({ draft: null });
      }
      return answer.ok;
    },
  };
}

/** The content of a step for its dialog. */
export interface StepView {
  readonly body: ReactNode;
  readonly footer: ReactNode;
}

export interface StepProps {
  readonly clone: Clone;
  /** Draws the dialog of the step. */
  readonly frame: (view: StepView) => ReactNode;
  /** Shows an earlier step, or returns to the current one. */
  readonly onLook: (step: CloneStep | null) => void;
  readonly onClose: () => void;
  readonly onUse: (voice: SpeechVoice) => void;
  readonly onEdit: (voice: SpeechVoice) => void;
}
