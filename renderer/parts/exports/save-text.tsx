import { Check, CircleAlert, Download } from 'lucide-react';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureText } from '../../lib/failure-text.ts';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useToast } from '../../ui/toast.tsx';

const formats = ['docx', 'txt', 'md'] as const;

interface SaveTextProps {
  readonly title: string;
  /** Called when a format was chosen. */
  readonly text: () => string;
  readonly size?: 'sm' | 'md';
  readonly variant?: 'ghost' | 'primary';
  readonly isDisabled?: boolean;
}

/** Saves a text of the app as a file; main asks where. */
export function SaveText({ title, text, size = 'md', variant = 'ghost', isDisabled = false }: SaveTextProps) {
  const t = useText();
  const studio = useStudio();
  const words = useFailureText();
  const showToast = useToast();
  const save = async (format: (typeof formats)[number]) => {
    const saved = await studio.request('exports.saveText', { title, text: text(), format });
    if (!saved.ok) showToast({ text: words(saved.error).text, icon: CircleAlert });
    else if (saved.value.savedAs !== null) {
      const { savedAs, revealToken } = saved.value;
      showToast({
        text: t('exports.saved', { name: savedAs }),
        icon: Check,
        ...(revealToken !== null && {
          action: { text: t('exports.show'), onPress: () => void studio.request('exports.reveal', { revealToken }) },
        }),
      });
    }
  };
  return (
    <Menu
      label={t('exports.saveText')}
      placement="bottom end"
      entries={formats.map((format) => ({
        id: format,
        text: t(`exports.textAs.${format}`),
        onAction: () => void save(format),
      }))}
      trigger={
        <Button size={size} variant={variant} icon={Download} isDisabled={isDisabled}>
          {t('exports.saveText')}
        </Button>
      }
    />
  );
}
