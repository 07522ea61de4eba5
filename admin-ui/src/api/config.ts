import type { SiteConfig } from '../../../contract/sign-in.ts';

/** Fetches the configuration of the instance. Throws if it is missing, because the page cannot work without it. */
export const loadConfig = async (): Promise<SiteConfig> => {
  const response = await fetch('/config.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`/config.json answered with status ${response.status}.`);
  return (await response.json()) as SiteConfig;
};
