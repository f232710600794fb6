import { useId } from 'react';
import type { AskTask } from '../../../../shared/domain/assistant/ask-tasks.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import type { Asked } from '../../../bridge/types.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useTaskCosts } from '../queries.ts';
import { useMostWords } from '../use-cost-words.ts';
import css from './first-tasks.module.css';

const tasks = ['summary', 'minutes', 'titles'] as const;

interface FirstTasksProps {
  /** What a task would be about; null: nothing can be asked. */
  readonly asked: Asked | null;
  readonly canAsk: boolean;
  readonly onAsk: (task: AskTask) => void;
}

/** Ready-made tasks before the first question. A press sends one, so each has its price under it. */
export function FirstTasks({ asked, canAsk, onAsk }: FirstTasksProps) {
  const t = useText();
  const mostOf = useMostWords();
  const id = useId();
  const isFree = modeOf(useConnection().mode).isFree;
  const costs = useTaskCosts(isFree ? null : asked, tasks);
  return (
    <span className={css['tasks']}>
      {tasks.map((task) => {
        const credits = costs.get(task);
        return (
          <span key={task} className={css['task']}>
            <Button
              size="sm"
              isDisabled={!canAsk}
              describedBy={`${id}-${task}`}
              onPress={() => {
                onAsk(task);
              }}
            >
              {t(`ask.tasks.${task}`)}
            </Button>
            {!isFree && (
              <span id={`${id}-${task}`} className={css['price']}>
                {mostOf(credits)}
              </span>
            )}
          </span>
        );
      })}
    </span>
  );
}
