/** `/v1/things/:thingId` as the service's document writes it: `/v1/things/{thing_id}`. */
export const documentedPath = (path: string): string =>
  path.replaceAll(
    /:(\w+)/g,
    (_whole, name: string) => `{${name.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`)}}`,
  );
