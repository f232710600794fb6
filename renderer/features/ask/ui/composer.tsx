import { ArrowUp, ChevronDown, Cpu, ListChecks, Paperclip, RotateCw } from 'lucide-react';
import { useRef, useState, type RefObject } from 'react';
import { askTasks, isLineTask, longestQuestion, type AskTask } from '../../../../shared/domain/assistant/ask-tasks.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { Asked, AttachedFile, Model } from '../../../bridge/types.ts';
import { useTaskCosts } from '../queries.ts';
import { shownCredits, useMostWords } from '../use-cost-words.ts';
import { Attachments, readsFiles, type ChosenFile } from './attachments.tsx';
import css from './composer.module.css';

export interface ComposerProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly question: string;
  readonly onQuestion: (question: string) => void;
  readonly models: readonly Model[];
  readonly areModelsComing: boolean;
  readonly onModelsAgain: () => void;
  readonly model: Model | null;
  readonly onModel: (id: string) => void;
  /** The most it can cost, in credits as decimal text; null: not known. */
  readonly mostCredits: string | null;
  /** What it will probably cost; null: not known. */
  readonly usualCredits: string | null;
  readonly canAsk: boolean;
  /** Something that the answer can be about: a transcript, or a file in the conversation. */
  readonly hasSource: boolean;
  /** Ready-made tasks need a transcript. */
  readonly canUseTasks: boolean;
  /** What a ready-made task would ask; null: nothing can be asked. */
  readonly asked: Asked | null;
  /** Tasks over all lines need exactly one. */
  readonly canUseLineTasks: boolean;
  readonly files: readonly ChosenFile[];
  /** Those of the whole conversation, which the model has to read. */
  readonly allFiles: readonly AttachedFile[];
  readonly isFull: boolean;
  readonly onAttach: () => void;
  readonly onDetach: (file: ChosenFile) => void;
  readonly onAsk: (task: AskTask) => void;
}

const readyTasks = askTasks.filter((task) => task !== 'question');

/** The field for a question, with the model and the maximum cost. */
export function Composer({ question, onQuestion, models, model, mostCredits, canAsk, onAsk, ...props }: ComposerProps) {
  const t = useText();
  const formats = useFormats();
  const own = useRef<HTMLTextAreaElement>(null);
  const field = props.field ?? own;
  const canSend = canAsk && props.hasSource && question.trim() !== '' && question.length <= longestQuestion;
  const nameOf = useModelName();
  const isPractice = modeOf(useConnection().mode).isFree;
  const [isTaskMenuOpen, setIsTaskMenuOpen] = useState(false);
  const taskCosts = useTaskCosts(isTaskMenuOpen && !isPractice ? props.asked : null, readyTasks);
  const mostOf = useMostWords();
  const costOf = (): string =>
    mostCredits === null || props.usualCredits === null
      ? mostOf(mostCredits)
      : t('ask.usual', {
          count: shownCredits(props.usualCredits),
          usual: formats.creditsAtMost(props.usualCredits),
          most: formats.creditsAtMost(mostCredits),
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
      <Attachments files={props.files} onRemove={props.onDetach} />
      <textarea
        ref={field}
        aria-label={t('ask.question')}
        placeholder={t('ask.placeholder')}
        rows={2}
        maxLength={longestQuestion}
        value={question}
        onChange={(event) => {
          onQuestion(event.target.value);
        }}
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
          entries={models.map((one) => ({
            id: one.id,
            text: nameOf(one),
            detail: isPractice ? null : priceOf(one),
            isDisabled: !readsFiles(one, props.allFiles),
            onAction: () => {
              props.onModel(one.id);
            },
          }))}
        />
        {model === null ? (
          <>
            <span className={css['price']}>{t(props.areModelsComing ? 'ask.modelsLoading' : 'ask.whyNoModel')}</span>
            <IconButton size="sm" icon={RotateCw} label={t('ask.modelsAgain')} onPress={props.onModelsAgain} />
          </>
        ) : (
          !isPractice && <span className={css['price']}>{priceOf(model)}</span>
        )}
        <IconButton
          size="sm"
          icon={Paperclip}
          label={t('ask.attach')}
          isDisabled={props.isFull}
          onPress={props.onAttach}
        />
        <Menu
          label={t('ask.readyTasks')}
          placement="top start"
          trigger={
            <Button size="sm" variant="ghost" icon={ListChecks} isDisabled={!canAsk || !props.canUseTasks}>
              {t('ask.readyTasks')}
            </Button>
          }
          isOpen={isTaskMenuOpen}
          onOpenChange={setIsTaskMenuOpen}
          entries={readyTasks.map((task) => ({
            id: task,
            text: t(`ask.tasks.${task}`),
            detail:
              isLineTask(task) && !props.canUseLineTasks
                ? t('ask.onlyOne')
                : isPractice
                  ? null
                  : mostOf(taskCosts.get(task)),
            isDisabled: isLineTask(task) && !props.canUseLineTasks,
            onAction: () => {
              onAsk(task);
            },
          }))}
        />
        <span className={css['end']}>
          <output className={css['most']}>
            {!props.hasSource && question.trim() !== ''
              ? t('ask.needsSource')
              : isPractice
                ? t('ask.free')
                : // Nothing is asked yet, so nothing costs.
                  props.asked !== null && costOf()}
          </output>
          <IconButton
            variant="default"
            icon={ArrowUp}
            label={t('ask.send')}
            isDisabled={!canSend}
            className={css['send']}
            onPress={() => {
              onAsk('question');
            }}
          />
        </span>
      </div>
    </form>
  );
}

/** How a model is called. */
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
