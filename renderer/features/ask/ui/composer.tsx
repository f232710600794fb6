import { ArrowUp, ChevronDown, Cpu, Languages, ListChecks, Paperclip, RotateCw } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { askTasks, isLineTask, longestQuestion, type AskTask } from '../../../../shared/domain/assistant/ask-tasks.ts';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { guessLanguage } from '../../../../shared/domain/imports/guess-language.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useConnection, useSettings } from '../../../bridge/live-state.tsx';
import { cx } from '../../../lib/class-names.ts';
import { spellTyped } from '../../../lib/spell-typed.ts';
import { useText } from '../../../lib/text.ts';
import { useLacksKey } from '../../../parts/connection/key-help.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { command, Menu } from '../../../ui/menu.tsx';
import type { Asked, AttachedFile, Model } from '../../../bridge/types.ts';
import { useTaskCosts, type Estimate, type useModels, useUsualWords } from '../ask-hooks.ts';
import { Attachments, readsFiles, type useAttachments } from './attachments.tsx';
import css from '../ask.module.css';

interface ComposerProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly question: string;
  readonly onQuestion: (question: string) => void;
  readonly models: ReturnType<typeof useModels>;
  readonly model: Model | null;
  readonly onModel: (id: string) => void;
  /** Null: in the language of the question. */
  readonly answerIn: SpeechLanguage | null;
  readonly onAnswerIn: (language: SpeechLanguage | null) => void;
  readonly estimate: Estimate | undefined;
  readonly canAsk: boolean;
  /** What a ready-made task would ask; null: nothing can be asked. */
  readonly asked: Asked | null;
  readonly sourceCount: number;
  readonly attachments: ReturnType<typeof useAttachments>;
  /** Those of the whole conversation, which the model has to read. */
  readonly allFiles: readonly AttachedFile[];
  readonly onAsk: (task: AskTask) => void;
}

const readyTasks = askTasks.filter((task) => task !== 'question');

export function Composer({
  field,
  question,
  models,
  model,
  asked,
  canAsk,
  sourceCount,
  attachments,
  allFiles,
  onAsk,
  ...props
}: ComposerProps) {
  const t = useText();
  const { interfaceLanguage } = useSettings();
  // A transcript, or a file in the conversation.
  const hasSource = sourceCount + allFiles.length > 0;
  const canSend = canAsk && hasSource && question.trim() !== '' && question.length <= longestQuestion;
  const nameOf = useModelName();
  const isFree = modeOf(useConnection().mode).isFree;
  // The notice above says all of it.
  const lacksKey = useLacksKey();
  const [isMoreOpen, setIsMoreOpen] = useState(false);
  const taskCosts = useTaskCosts(isMoreOpen && !isFree ? asked : null, readyTasks);
  const usualOf = useUsualWords();
  const cost = (): string => {
    if (lacksKey) return '';
    if (!hasSource && question.trim() !== '') return t('ask.needsSource');
    if (isFree) return t('ask.free');
    // Nothing is asked yet, so nothing costs.
    return asked === null ? '' : usualOf(props.estimate);
  };
  const modelEntries = (models.data ?? []).map((one) => ({
    id: one.id,
    text: nameOf(one),
    isDisabled: !readsFiles(one, allFiles),
    onAction: () => props.onModel(one.id),
  }));
  const taskEntries = readyTasks.map((task) => {
    // It needs exactly one transcript.
    const isDisabled = !canAsk || sourceCount === 0 || (isLineTask(task) && sourceCount !== 1);
    const detail =
      isLineTask(task) && sourceCount !== 1 ? t('ask.onlyOne') : isFree ? null : usualOf(taskCosts.get(task));
    return { id: task, text: t(`ask.tasks.${task}`), detail, isDisabled, onAction: () => onAsk(task) };
  });
  return (
    <div className={css['foot']} data-bottom-bar>
      <form
        className={cx(css['composer'], css['column'])}
        onSubmit={(event) => {
          event.preventDefault();
          if (canSend) onAsk('question');
        }}
      >
        <Attachments files={attachments.files} onRemove={({ token }) => attachments.remove(token)} />
        <textarea
          ref={field}
          aria-label={t('ask.question')}
          placeholder={sourceCount === 0 ? t('ask.placeholder') : t('ask.askAbout', { count: sourceCount })}
          rows={2}
          maxLength={longestQuestion}
          value={question}
          onChange={({ target, nativeEvent }) => {
            props.onQuestion(target.value);
            if ((guessLanguage(target.value) ?? interfaceLanguage) === 'uz' && nativeEvent instanceof InputEvent)
              spellTyped(nativeEvent, target.value, target.selectionStart, (from, to) =>
                target.setSelectionRange(from, to),
              );
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            if (canSend) onAsk('question');
          }}
        />
        <div className={css['tools']}>
          <Menu
            label={t('common.more')}
            placement="top start"
            isOpen={isMoreOpen}
            onOpenChange={setIsMoreOpen}
            trigger={
              <Button size="sm" variant="ghost" iconAfter={ChevronDown}>
                {t('common.more')}
              </Button>
            }
            entries={[
              {
                id: 'model',
                icon: Cpu,
                text: model === null ? t('ask.noModel') : t('ask.modelIs', { name: nameOf(model) }),
                chosenId: model?.id ?? null,
                entries: modelEntries,
              },
              {
                id: 'language',
                icon: Languages,
                text: t(props.answerIn === null ? 'ask.answerIn.same' : `ask.answerIn.${props.answerIn}`),
                chosenId: props.answerIn ?? 'same',
                entries: (['same', ...speechLanguages] as const).map((id) => ({
                  id,
                  text: t(`ask.answerIn.${id}`),
                  onAction: () => props.onAnswerIn(id === 'same' ? null : id),
                })),
              },
              command('attach', Paperclip, t('ask.attach'), () => void attachments.attach(null), {
                isDisabled: attachments.isFull,
              }),
              { id: 'tasks', icon: ListChecks, text: t('ask.readyTasks'), entries: taskEntries },
            ]}
          />
          {model === null && !lacksKey && (
            <>
              <span className="small muted">{t(models.isFetching ? 'ask.modelsLoading' : 'ask.whyNoModel')}</span>
              <IconButton
                size="sm"
                icon={RotateCw}
                label={t('ask.modelsAgain')}
                onPress={() => void models.refetch()}
              />
            </>
          )}
          <span className="row gap-8 thin">
            <output className="small muted">{cost()}</output>
            <IconButton
              variant="default"
              icon={ArrowUp}
              label={t('ask.send')}
              isDisabled={!canSend}
              className={css['send']}
              onPress={() => onAsk('question')}
            />
          </span>
        </div>
      </form>
    </div>
  );
}

export function useModelName() {
  const t = useText();
  return (one: Model | null): string => {
    if (one === null) return '';
    const own = practiceModels[one.id as keyof typeof practiceModels] as 'ask.practiceModels.quotes' | undefined;
    return own === undefined ? (one.name ?? one.id) : t(own);
  };
}

/** Models of practice mode are the app's own, with names in its languages. */
const practiceModels = {
  'practice-extract': 'ask.practiceModels.quotes',
  'practice-extract-files': 'ask.practiceModels.quotesFiles',
} as const;
