import { ArrowUp, ChevronDown, Cpu, ListChecks, Paperclip, RotateCw } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { askTasks, isLineTask, longestQuestion, type AskTask } from '../../../../shared/domain/assistant/ask-tasks.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { Asked, AttachedFile, Model } from '../../../bridge/types.ts';
import { useTaskCosts, type useModels, shownCredits, useMostWords } from '../ask-hooks.ts';
import { Attachments, readsFiles, type useAttachments } from './attachments.tsx';
import css from './composer.module.css';

interface ComposerProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly question: string;
  readonly onQuestion: (question: string) => void;
  readonly models: ReturnType<typeof useModels>;
  readonly model: Model | null;
  readonly onModel: (id: string) => void;
  /** In credits as decimal text. */
  readonly estimate: { readonly credits: string | null; readonly usual: string | null } | undefined;
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
  const formats = useFormats();
  // A transcript, or a file in the conversation.
  const hasSource = sourceCount + allFiles.length > 0;
  const canSend = canAsk && hasSource && question.trim() !== '' && question.length <= longestQuestion;
  const nameOf = useModelName();
  const isPractice = modeOf(useConnection().mode).isFree;
  const [isTaskMenuOpen, setIsTaskMenuOpen] = useState(false);
  const taskCosts = useTaskCosts(isTaskMenuOpen && !isPractice ? asked : null, readyTasks);
  const mostOf = useMostWords();
  const { credits = null, usual = null } = props.estimate ?? {};
  const costOf = (): string =>
    credits === null || usual === null
      ? mostOf(credits)
      : t('ask.usual', {
          count: shownCredits(usual),
          usual: formats.creditsAtMost(usual),
          most: formats.creditsAtMost(credits),
        });
  const priceOf = (one: Model): string =>
    one.inputPrice === null || one.outputPrice === null
      ? t('ask.priceUnknown')
      : t('ask.price', {
          input: formats.number(Number(one.inputPrice)),
          output: formats.number(Number(one.outputPrice)),
        });
  return (
    <form
      className={css['composer']}
      data-bottom-bar
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onAsk('question');
      }}
    >
      <Attachments files={attachments.files} onRemove={({ token }) => attachments.remove(token)} />
      <textarea
        ref={field}
        aria-label={t('ask.question')}
        placeholder={t('ask.placeholder')}
        rows={2}
        maxLength={longestQuestion}
        value={question}
        onChange={(event) => props.onQuestion(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (canSend) onAsk('question');
        }}
      />
      <div className={css['tools']}>
        <Menu
          label={t('ask.model')}
          placement="top start"
          chosenId={model?.id ?? null}
          trigger={
            <Button
              size="sm"
              variant="ghost"
              icon={Cpu}
              iconAfter={ChevronDown}
              label={model === null ? t('ask.noModel') : t('ask.modelIs', { name: nameOf(model) })}
            >
              {nameOf(model) || t('ask.noModel')}
            </Button>
          }
          entries={(models.data ?? []).map((one) => ({
            id: one.id,
            text: nameOf(one),
            detail: isPractice ? null : priceOf(one),
            isDisabled: !readsFiles(one, allFiles),
            onAction: () => props.onModel(one.id),
          }))}
        />
        {model === null ? (
          <>
            <span className={css['price']}>{t(models.isFetching ? 'ask.modelsLoading' : 'ask.whyNoModel')}</span>
            <IconButton size="sm" icon={RotateCw} label={t('ask.modelsAgain')} onPress={() => void models.refetch()} />
          </>
        ) : (
          !isPractice && <span className={css['price']}>{priceOf(model)}</span>
        )}
        <IconButton
          size="sm"
          icon={Paperclip}
          label={t('ask.attach')}
          isDisabled={attachments.isFull}
          onPress={() => void attachments.attach(null)}
        />
        <Menu
          label={t('ask.readyTasks')}
          placement="top start"
          trigger={
            <Button size="sm" variant="ghost" icon={ListChecks} isDisabled={!canAsk || sourceCount === 0}>
              {t('ask.readyTasks')}
            </Button>
          }
          isOpen={isTaskMenuOpen}
          onOpenChange={setIsTaskMenuOpen}
          entries={readyTasks.map((task) => {
            // It needs exactly one transcript.
            const isDisabled = isLineTask(task) && sourceCount !== 1;
            const detail = isDisabled ? t('ask.onlyOne') : isPractice ? null : mostOf(taskCosts.get(task));
            return { id: task, text: t(`ask.tasks.${task}`), detail, isDisabled, onAction: () => onAsk(task) };
          })}
        />
        <span className={css['end']}>
          <output className={css['most']}>
            {!hasSource && question.trim() !== ''
              ? t('ask.needsSource')
              : isPractice
                ? t('ask.free')
                : // Nothing is asked yet, so nothing costs.
                  asked !== null && costOf()}
          </output>
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
