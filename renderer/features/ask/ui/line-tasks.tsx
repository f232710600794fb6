import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, CircleAlert, FilePlus2, FileText } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Citation } from '../../../../shared/domain/assistant/ask-messages.ts';
import type { LineTask } from '../../../../shared/domain/assistant/ask-tasks.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { Asked, CitedLine, ExchangeView } from '../../../bridge/types.ts';
import { cx } from '../../../lib/class-names.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { transcriptListKey, transcriptsQuery } from '../../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { SpeakerMark } from '../../../ui/speaker-mark.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useMostWords } from '../use-cost-words.ts';
import { useEstimate } from '../queries.ts';
import answer from './answer.module.css';
import css from './line-tasks.module.css';

export interface LineTaskDialogProps {
  /** What would be asked. */
  readonly asked: Asked & { readonly task: LineTask };
  readonly modelName: string;
  readonly onStart: () => void;
  readonly onClose: () => void;
}

/** Says what a task over all segments does and costs at most, before anything is sent. */
export function LineTaskDialog({ asked, modelName, onStart, onClose }: LineTaskDialogProps) {
  const t = useText();
  const { data } = useEstimate(asked);
  const isPractice = modeOf(useConnection().mode).isFree;
  const cost = useMostWords()(data?.credits);
  return (
    <Dialog
      isOpen
      width="sm"
      title={t(`ask.tasks.${asked.task}`)}
      closeLabel={t('common.close')}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button
            variant="primary"
            isDisabled={data === undefined}
            onPress={() => {
              onClose();
              onStart();
            }}
          >
            {t('ask.lineTask.go')}
          </Button>
        </>
      }
    >
      <div className={css['body']}>
        <p>{t('ask.lineTask.text')}</p>
        <p className={css['facts']} aria-live="polite">
          <span>{data === undefined ? '…' : t('ask.lines', { count: data.lines })}</span>
          <span>{t('ask.modelIs', { name: modelName })}</span>
          <span>{isPractice ? t('ask.free') : cost}</span>
        </p>
        <p className={css['note']}>{t('ask.lineTask.note')}</p>
      </div>
    </Dialog>
  );
}

interface LineAnswerProps {
  readonly text: string;
  readonly citations: readonly Citation[];
  /** The segments themselves, with their speakers. */
  readonly cited: readonly CitedLine[];
  readonly isArriving: boolean;
  readonly onCite: (citation: Citation) => void;
}

/** The segments as they come, each at its time. */
export function LineAnswer({ text, citations, cited, isArriving, onCite }: LineAnswerProps) {
  const t = useText();
  const known = new Map(citations.map((one) => [one.mark, one]));
  const said = new Map(cited.map((one) => [one.segmentId, one.line]));
  const rows = text
    .split('\n')
    .filter((row) => row.trim() !== '')
    .map((row) => {
      const [, mark = '', words = row] = /^\s*\[(s\d{1,6})\]\s*(.*)$/u.exec(row) ?? [];
      const citation = known.get(mark);
      return { mark, words, citation, line: citation && said.get(citation.segmentId) };
    });
  return (
    <ol className={css['lines']} aria-busy={isArriving}>
      {rows.map(({ mark, words, citation, line }, at) => {
        const speaker = line?.speaker ?? null;
        const isNewSpeaker = speaker !== null && speaker !== (rows[at - 1]?.line?.speaker ?? null);
        const time = citation && clock(citation.startMs);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- lines only grow at the end
          <li key={at} className={css['line']} data-line={mark}>
            {citation && time !== undefined && (
              <PressButton
                className={cx(answer['source'], css['time'])}
                label={t('ask.goTo', { time })}
                onPress={() => {
                  onCite(citation);
                }}
              >
                {time}
              </PressButton>
            )}
            <span className={css['said']}>
              {isNewSpeaker && (
                <span className={css['speaker']}>
                  <SpeakerMark number={line?.speakerNumber ?? 1} name={speaker} />
                </span>
              )}
              <span data-words>{words}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** Adds the result to the library, beside the transcript it was made of. */
export function SaveLines({ exchange, task }: { readonly exchange: ExchangeView; readonly task: LineTask }) {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const words = useFailureWords();
  const showToast = useToast();
  const [, navigate] = useLocation();
  const { data } = useQuery(transcriptsQuery(studio));
  const [isSaving, setIsSaving] = useState(false);
  const [savedId, setSavedId] = useState<string | null>(null);
  const about = exchange.citations[0]?.transcriptId;
  const title = data?.find(({ id }) => id === about)?.title;
  const save = async () => {
    if (title === undefined) return;
    setIsSaving(true);
    const named = t(`ask.linesTitle.${task}`, { title: title.slice(0, 250) });
    const saved = await studio.request('ask.saveLines', { exchangeId: exchange.id, title: named });
    await queries.invalidateQueries({ queryKey: transcriptListKey });
    setIsSaving(false);
    if (!saved.ok) showToast({ text: words(saved.error).text, icon: CircleAlert });
    else {
      setSavedId(saved.value.transcriptId);
      showToast({ text: t('ask.savedLines'), icon: Check });
    }
  };
  // Another press would only make a second one.
  if (savedId !== null && data?.some(({ id }) => id === savedId) === true)
    return (
      <Button
        size="sm"
        icon={FileText}
        onPress={() => {
          navigate(`/transcripts/${savedId}`);
        }}
      >
        {t('ask.openLines')}
      </Button>
    );
  return (
    <Button
      size="sm"
      icon={FilePlus2}
      isLoading={isSaving}
      isDisabled={title === undefined}
      onPress={() => void save()}
    >
      {t('ask.saveLines')}
    </Button>
  );
}
