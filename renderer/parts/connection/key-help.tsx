import { KeyRound } from 'lucide-react';
import { useLocation } from 'wouter';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';

/** Whether the service is used and has no key yet. */
export function useLacksKey(): boolean {
  const { mode, key } = useConnection();
  return mode === 'service' && !key.present;
}

/** Where a key is entered or put right: practice mode has its own among the keys of the account. */
export function KeyHelp() {
  const t = useText();
  const { mode } = useConnection();
  const [, navigate] = useLocation();
  const isPractice = modeOf(mode).isPractice;
  return (
    <Button
      size="sm"
      icon={KeyRound}
      onPress={() => {
        navigate(isPractice ? '/account/keys' : '/settings/connection');
      }}
    >
      {t(isPractice ? 'ask.openKeys' : 'ask.openConnection')}
    </Button>
  );
}

/** There is no key yet; `text`: what it is needed for here. */
export function NoKeyNotice({ text }: { readonly text: string }) {
  const t = useText();
  return (
    <Banner tone="warn" icon={KeyRound} title={t('ask.noKey.title')} actions={<KeyHelp />}>
      {text}
    </Banner>
  );
}
