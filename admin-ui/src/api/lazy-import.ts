import { type ComponentType, lazy } from 'react';
import { Unreachable } from './api-error.ts';

/** Whether the site answers. */
export const isUp = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The site answers, but without a part of it, for example because an update removed its file. */
export class ImportFailed extends Error {
  override readonly name = 'ImportFailed';
}

/** Loads a part of the site that is not in the initial bundle. Throws `ImportFailed` if it is missing, `Unreachable` if nothing answers. */
export const lazyImport = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  try {
    return await load();
  } catch (cause) {
    if (!(await isUp())) throw new Unreachable(cause);
    throw new ImportFailed('A part of the site could not be loaded. Reload the page.', {
      cause,
    });
  }
};

/** A component that is loaded when it is first shown, or what is shown after a failure. */
export const lazyOr = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: (error: unknown) => ComponentType<Props>,
) => lazy(async () => ({ default: await lazyImport(load).catch(fallback) }));
