import { useState } from 'react';
import { ProxyFields, ProxyModes } from '../../../parts/connection/proxy-form.tsx';
import { useProxyForm } from '../../../parts/connection/use-proxy-form.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import css from '../welcome-screen.module.css';

/** Behind an office proxy nothing can be reached until it is configured, so this comes first. */
export function ProxyChoice() {
  const t = useText();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => {
    setIsOpen(false);
  };
  return (
    <>
      <Button
        variant="ghost"
        className={css['proxy']}
        onPress={() => {
          setIsOpen(true);
        }}
      >
        {t('welcome.proxy')}
      </Button>
      {isOpen && <ProxyDialog onClose={close} />}
    </>
  );
}

function ProxyDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const form = useProxyForm();
  return (
    <Dialog
      isOpen
      title={t('network.proxy.title')}
      closeLabel={t('common.close')}
      onClose={onClose}
      footer={
        <Button
          variant="primary"
          onPress={() => {
            if (form.isWhole) onClose();
            else form.saveWritten();
          }}
        >
          {t('common.done')}
        </Button>
      }
    >
      <div className={css['proxyForm']}>
        <p className={css['proxyHint']}>{t('network.proxy.hint')}</p>
        <ProxyModes form={form} />
        <ProxyFields form={form} />
      </div>
    </Dialog>
  );
}
