import { heldButtons, pedalModelOf, type PedalModel } from '../../../shared/domain/pedals/pedals.ts';
import { Scope } from '../../lib/scope.ts';

export interface ConnectedPedal {
  /** Different for each connected one. */
  readonly id: number;
  readonly model: PedalModel;
  readonly name: string;
  readonly state: 'opening' | 'read' | 'refused';
  readonly held: ReadonlySet<string>;
}

/** WebHID as far as it is used here; TypeScript has no types for it. */
interface Device extends EventTarget {
  readonly vendorId: number;
  readonly productId: number;
  readonly productName: string;
  readonly opened: boolean;
  open(): Promise<void>;
  close(): Promise<void>;
}
interface DeviceEvent extends Event {
  readonly device: Device;
}
interface ReportEvent extends Event {
  readonly reportId: number;
  readonly data: DataView;
}
interface Hid extends EventTarget {
  /** Those that main permits. */
  getDevices(): Promise<readonly Device[]>;
}

/** A device is busy while it is opened or closed: a screen that opens it waits for the one before to close it. */
let turn: Promise<unknown> = Promise.resolve();
function inTurn(work: () => Promise<void>): Promise<void> {
  const done = turn.then(work);
  turn = done.catch(() => undefined);
  return done;
}

/**
 * Opens every pedal that is or gets connected, and calls back with all of them after each change: at least once, also
 * when there is none. An unplugged pedal is no longer among them, so none of its buttons is held. The returned function
 * closes them.
 */
export function followPedals(onChange: (pedals: readonly ConnectedPedal[]) => void): () => void {
  const { hid } = navigator as Navigator & { readonly hid?: Hid };
  const scope = new Scope();
  const pedals = new Map<Device, ConnectedPedal>();
  let lastId = 0;
  const tell = () => {
    if (!scope.isDisposed) onChange([...pedals.values()]);
  };
  const change = (device: Device, changed: Partial<ConnectedPedal>) => {
    const pedal = pedals.get(device);
    if (pedal === undefined) return;
    pedals.set(device, { ...pedal, ...changed });
    tell();
  };
  const open = (device: Device) => {
    const model = pedalModelOf(device.vendorId, device.productId);
    if (model === null || pedals.has(device)) return;
    const name = device.productName.trim() || model.maker;
    pedals.set(device, { id: (lastId += 1), model, name, state: 'opening', held: new Set() });
    tell();
    scope.listen<ReportEvent>(device, 'inputreport', ({ reportId, data }) => {
      const before = pedals.get(device)?.held ?? new Set<string>();
      const held = heldButtons(model, before, reportId, data);
      if (held !== before) change(device, { held });
    });
    scope.add(() => void inTurn(() => device.close()).catch(() => undefined));
    inTurn(async () => {
      if (!device.opened && !scope.isDisposed) await device.open();
    }).then(
      () => {
        change(device, { state: 'read' });
      },
      () => {
        change(device, { state: 'refused' });
      },
    );
  };
  const openAll = async () => {
    const devices = (await hid?.getDevices().catch(() => null)) ?? [];
    if (scope.isDisposed) return;
    for (const device of devices) open(device);
    tell();
  };
  if (hid !== undefined) {
    scope.listen<DeviceEvent>(hid, 'connect', ({ device }) => {
      open(device);
    });
    scope.listen<DeviceEvent>(hid, 'disconnect', ({ device }) => {
      if (pedals.delete(device)) tell();
    });
  }
  void openAll();
  return () => {
    scope.dispose();
  };
}
