import { useApp } from '../bridge/live-state.tsx';
import { useText } from '../lib/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FactList } from '../ui/fact-list.tsx';

const systems = { darwin: 'macOS', linux: 'Linux', win32: 'Windows' } as const;

interface AboutDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onReport: () => void;
}

export function AboutDialog({ isOpen, onClose, onReport }: AboutDialogProps) {
  const t = useText();
  const { version, capabilities } = useApp();
  return (
    <Dialog
      width="sm"
      title={t('menu.roles.about')}
      isOpen={isOpen}
      onClose={onClose}
      footer={<Button onPress={onReport}>{t('palette.commands.reportProblem')}</Button>}
    >
      <FactList
        facts={[
          { label: t('shell.about.version'), value: version },
          { label: t('shell.about.system'), value: systems[capabilities.platform] },
          { label: t('shell.about.licence'), value: 'MIT' },
        ]}
      />
    </Dialog>
  );
}
