import { useQuery, useQueryClient } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { askKey, conversationsQuery } from '../queries.ts';

interface PastQuestionsProps {
  readonly current: string | null;
  readonly onOpen: (conversationId: string) => void;
  readonly onRemoved: () => void;
}

/** Conversations before this one, and what can be done with the one that is shown. */
export function PastQuestions({ current, onOpen, onRemoved }: PastQuestionsProps) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const queries = useQueryClient();
  const { data = [] } = useQuery(conversationsQuery(studio));
  const remove = async (conversationId: string) => {
    await studio.request('ask.remove', { conversationId });
    onRemoved();
    await queries.invalidateQueries({ queryKey: askKey });
  };
  return (
    <Menu
      label={t('ask.past')}
      chosenId={current}
      trigger={
        <Button variant="ghost" icon={History} isDisabled={data.length === 0}>
          {t('ask.past')}
        </Button>
      }
      entries={[
        ...data.slice(0, 100).map(({ id, title, changedAtMs }) => ({
          id,
          text: `${title} · ${formats.date(changedAtMs)}`,
          onAction: () => {
            onOpen(id);
          },
        })),
        ...(current === null
          ? []
          : [
              'separator' as const,
              { id: 'remove', text: t('ask.remove'), isDanger: true, onAction: () => void remove(current) },
            ]),
      ]}
    />
  );
}
