import { CircleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useRefusedSetting } from '../bridge/use-settings-change.ts';
import { useFailureWords } from '../lib/failure-words.ts';
import { useText } from '../lib/text.ts';
import { useToast } from '../ui/toast.tsx';

/** A choice that was shown and then taken back, because it could not be kept, says why; the control shows what holds. */
export function RefusedSettingNotice() {
  const t = useText();
  const words = useFailureWords();
  const showToast = useToast();
  const refused = useRefusedSetting();
  const told = useRef<typeof refused>(null);
  useEffect(() => {
    if (refused === null || told.current === refused) return;
    told.current = refused;
    showToast({
      text: t('shell.settingRefused', { reason: words(refused.failure).title }),
      icon: CircleAlert,
      shownForMs: 10_000,
    });
  });
  return null;
}
