import type { Page } from '@playwright/test';

interface FakePedal {
  readonly vendorId: number;
  readonly productId: number;
  readonly productName: string;
}

declare global {
  interface Window {
    /** Pedals in the place of real ones, in the order in which they were plugged in. */
    readonly fakePedals: {
      plugIn(pedal: FakePedal): void;
      unplug(index: number): void;
      /** Sends a report, as bytes. */
      send(index: number, bytes: readonly number[], reportId?: number): void;
      /** Whether each is open; a closed one sends nothing. */
      areOpen(): readonly boolean[];
      /** From now on, no pedal can be opened. */
      refuse(isRefused: boolean): void;
    };
  }
}

export const infinity: FakePedal = { vendorId: 0x05f3, productId: 0x00ff, productName: 'VEC USB Footpedal' };
export const philips: FakePedal = { vendorId: 0x0911, productId: 0x091a, productName: 'Philips Footcontrol' };
export const olympus: FakePedal = { vendorId: 0x07b4, productId: 0x025f, productName: 'HID FootSwitch RS Series' };

/** Replaces `navigator.hid`; runs in the page and uses nothing of this file. */
export function fakePedals(): void {
  class Device extends EventTarget {
    opened = false;
    readonly vendorId: number;
    readonly productId: number;
    readonly productName: string;
    constructor({ vendorId, productId, productName }: FakePedal) {
      super();
      this.vendorId = vendorId;
      this.productId = productId;
      this.productName = productName;
    }
    async open(): Promise<void> {
      if (isRefused) throw new DOMException('Failed to open the device.', 'NotAllowedError');
      if (this.opened) throw new DOMException('The device is already open.', 'InvalidStateError');
      this.opened = true;
    }
    async close(): Promise<void> {
      this.opened = false;
    }
  }
  let isRefused = false;
  const devices: Device[] = [];
  const connected = new Set<Device>();
  const hid = Object.assign(new EventTarget(), { getDevices: async () => [...connected] });
  const tell = (type: string, device: Device) => hid.dispatchEvent(Object.assign(new Event(type), { device }));
  const deviceAt = (index: number): Device => {
    const device = devices[index];
    if (device === undefined) throw new Error(`no pedal ${String(index)}`);
    return device;
  };
  Object.defineProperty(navigator, 'hid', { value: hid, configurable: true });
  Object.assign(window, {
    fakePedals: {
      plugIn(pedal: FakePedal) {
        const device = new Device(pedal);
        devices.push(device);
        connected.add(device);
        tell('connect', device);
      },
      unplug(index: number) {
        const device = deviceAt(index);
        connected.delete(device);
        device.opened = false;
        tell('disconnect', device);
      },
      send(index: number, bytes: readonly number[], reportId = 0) {
        const device = deviceAt(index);
        const data = new DataView(Uint8Array.from(bytes).buffer);
        if (device.opened) device.dispatchEvent(Object.assign(new Event('inputreport'), { device, reportId, data }));
      },
      areOpen: () => devices.map(({ opened }) => opened),
      refuse(isNowRefused: boolean) {
        isRefused = isNowRefused;
      },
    },
  });
}

export const plugIn = (page: Page, pedal: FakePedal): Promise<void> =>
  page.evaluate((plugged) => {
    window.fakePedals.plugIn(plugged);
  }, pedal);

export const unplug = (page: Page, index: number): Promise<void> =>
  page.evaluate((at) => {
    window.fakePedals.unplug(at);
  }, index);

/** A report of the pedal with this index. */
export const send = (page: Page, index: number, ...bytes: readonly number[]): Promise<void> =>
  page.evaluate(
    ([at, sent]) => {
      window.fakePedals.send(at, sent);
    },
    [index, bytes] as const,
  );

export const areOpen = (page: Page): Promise<readonly boolean[]> => page.evaluate(() => window.fakePedals.areOpen());
