import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, RotateCcw, Timer } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import type { SpeechVoice } from '../../../../../shared/domain/speech/voices.ts';
import type { CloneChange, CloneSending, CloneStep } from '../../../../../shared/domain/voices/clone-draft.ts';
import { cloneRules } from '../../../../../shared/domain/voices/clone-rules.ts';
import type { Failure } from '../../../../../shared/result/failure.ts';
import { err } from '../../../../../shared/result/result.ts';
import { useConnection } from '../../../../bridge/live-state.tsx';
import { valueOrThrow } from '../../../../bridge/request-error.ts';
import { saveBeforeLeaving } from '../../../../bridge/save-before-leaving.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import type { ShownDraft } from '../../../../bridge/types.ts';
import { useFailureText } from '../../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { useNow } from '../../../../lib/use-now.ts';
import { NoKeyNotice, useLacksKey } from '../../../../parts/connection/key-help.tsx';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useToast } from '../../../../ui/toast.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import css from './clone-wizard.module.css';

const saveAfterMs = 400;

export type Clone = ReturnType<typeof useClone>;

/** The voice being cloned, as stored by main. */
export function useClone() {
  const studio = useStudio();
  const client = useQueryClient();
  const { mode } = useConnection();
  const queryKey = ['clone', mode];
  const query = useQuery({
    queryKey,
    queryFn: () => valueOrThrow(studio.request('clone.read', {})),
    retry: false,
    staleTime: Infinity,
  });
  const [saving, setSaving] = useState<'saved' | 'saving' | Failure>('saved');
  const [failure, setFailure] = useState<Failure | null>(null);
  const pending = useRef<{ change: CloneChange; timer: ReturnType<typeof setTimeout> | undefined } | null>(null);
  const lastSave = useRef<Promise<Failure | null>>(Promise.resolve(null));
  const show = (draft: ShownDraft | null) =>
    client.setQueryData<typeof query.data>(queryKey, (before) => ({ capabilities: null, ...before, draft }));
  const saveWaiting = async (): Promise<Failure | null> => {
    const waiting = pending.current;
    if (waiting === null) return null;
    clearTimeout(waiting.timer);
    pending.current = null;
    const saved = await studio.request('clone.change', waiting.change);
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
    /** What was refused here, before anything was sent. */
    failure,
    change(change: CloneChange) {
      if (draft !== null) show({ ...draft, ...change });
      clearTimeout(pending.current?.timer);
      setSaving('saving');
      pending.current = {
        change: { ...pending.current?.change, ...change },
        timer: setTimeout(() => void flush(), saveAfterMs),
      };
    },
    async send(sending: CloneSending): Promise<ShownDraft | null> {
      setFailure(null);
      const answer = await mutation.mutateAsync(sending);
      if (answer.ok) show(withPending(answer.value.draft));
      else setFailure(answer.error);
      return answer.ok ? answer.value.draft : null;
    },
    cancel: useCallback(() => void studio.request('clone.cancel', {}), [studio]),
    reload: async () => {
      await flush();
      setFailure(null);
      const { data } = await query.refetch();
      if (data?.draft != null) show(withPending(data.draft));
    },
    show(shown: ShownDraft) {
      setFailure(null);
      show(shown);
    },
    fail: setFailure,
    async discard() {
      clearTimeout(pending.current?.timer);
      pending.current = null;
      const answer = await studio.request('clone.discard', {});
      setFailure(answer.ok ? null : answer.error);
      if (answer.ok) show(null);
      return answer.ok;
    },
  };
}

/** How long a step that was refused as too frequent has to wait, milliseconds; 0: it can be sent. */
export function useWait({ draft }: Clone): number {
  const until = draft?.waitsUntilMs ?? null;
  const now = useNow(until !== null);
  return until === null ? 0 : Math.max(0, until - now);
}

/** The answer to the upload never came; main has looked for it. */
export const isUploadLost = (failure: Failure | null | undefined): boolean =>
  failure?.kind === 'answer-lost' && lostCodes.some((code) => code === failure.code);
const lostCodes = ['upload_arrived', 'upload_absent', 'upload_unsure'] as const;
export const lostCodeOf = ({ code }: Failure) => lostCodes.find((one) => one === code) ?? 'upload_unsure';

export function CloneFailure({ clone }: { readonly clone: Clone }) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  const waitMs = useWait(clone);
  const lacksKey = useLacksKey();
  const { draft } = clone;
  const failure = clone.failure ?? draft?.failure ?? null;
  if (draft?.isOver === true)
    return (
      <Banner role="alert" tone="bad" icon={CircleAlert} title={t('voices.wizard.over')}>
        {t('voices.wizard.overText')}
      </Banner>
    );
  if (lacksKey) return <NoKeyNotice />;
  if (failure === null) return null;
  if (failure.kind === 'clone-rate-limited')
    return waitMs === 0 ? null : (
      <Banner tone="warn" icon={Timer} title={words(failure).title}>
        {t('voices.wizard.waitFor', { time: formats.duration(waitMs) })}
      </Banner>
    );
  if (isUploadLost(failure)) {
    const code = lostCodeOf(failure);
    return (
      <Banner role="alert" tone="warn" icon={CircleAlert} title={t(`voices.wizard.lost.${code}.title`)}>
        {t(`voices.wizard.lost.${code}.text`)}
      </Banner>
    );
  }
  if (failure.kind === 'reading-expired') {
    const why = failure.code === 'challenge_missing' ? 'noText' : 'expired';
    return (
      <Banner role="alert" tone="warn" icon={Timer} title={t(`voices.wizard.${why}`)}>
        {t(`voices.wizard.${why}Text`)}
      </Banner>
    );
  }
  if (failure.kind === 'reading-mismatch') {
    const left = t('voices.wizard.triesLeft', { count: Math.max(0, cloneRules.attempts - (draft?.attempts ?? 0)) });
    return (
      <Banner role="alert" tone="warn" icon={RotateCcw} title={`${words(failure).title}, ${left}`}>
        {t(failure.code === 'challenge_mismatch' ? 'voices.wizard.wrongWords' : 'voices.wizard.mismatch')}
        {draft?.heard != null && (
          <>
            {' '}
            {t('voices.wizard.heard')} <q lang={draft.language}>{draft.heard}</q>
          </>
        )}
      </Banner>
    );
  }
  const fields = Object.entries(failure.fields ?? {}).map(([field, text]) => `${field}: ${text}`);
  return (
    <FailureNotice
      failure={failure}
      tone={failure.kind === 'paid-plan-needed' ? 'warn' : 'bad'}
      {...(fields.length > 0 && { about: fields.join('; ') })}
    />
  );
}

export function Sending({ clone }: { readonly clone: Clone }) {
  const t = useText();
  if (clone.sending === null) return null;
  return (
    <output className="inline gap-8 wrap">
      <Spinner />
      {t(`voices.wizard.sending.${clone.sending}`)}
      <Button size="sm" variant="ghost" onPress={clone.cancel}>
        {t('voices.wizard.stopSending')}
      </Button>
    </output>
  );
}

/** Deletes the draft after a second click in the same place, because dialogs don't open other dialogs here. */
export function DiscardDraft({ clone, onDiscarded }: { readonly clone: Clone; readonly onDiscarded: () => void }) {
  const t = useText();
  const showToast = useToast();
  const [isAsked, setIsAsked] = useState(false);
  if (clone.draft === null) return null;
  if (!isAsked)
    return (
      <Button variant="ghost" isDisabled={clone.sending !== null} onPress={() => setIsAsked(true)}>
        {t('voices.deleteDraft')}
      </Button>
    );
  const discard = async () => {
    setIsAsked(false);
    if (!(await clone.discard())) return;
    showToast({ text: t('voices.wizard.discarded') });
    onDiscarded();
  };
  return (
    <span role="alert" className={css['question']}>
      {t('voices.wizard.discardText')}
      <Button isAutoFocused onPress={() => setIsAsked(false)}>
        {t('voices.keep')}
      </Button>
      <Button variant="danger" onPress={() => void discard()}>
        {t('voices.wizard.discardConfirm')}
      </Button>
    </span>
  );
}

export interface StepProps {
  readonly clone: Clone;
  readonly frame: (body: ReactNode, footer: ReactNode) => ReactNode;
  readonly onLook: (step: CloneStep | null) => void;
  readonly onClose: () => void;
  readonly onUse: (voice: SpeechVoice) => void;
  readonly onEdit: (voice: SpeechVoice) => void;
}
