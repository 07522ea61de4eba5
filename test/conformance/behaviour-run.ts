import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../support/new-folder.ts';
import { ADDRESS, type Ask, type Behaviour, FOLDER, type Step } from './behaviour.ts';
import type { Driver, Outcome } from './driver.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

/** How long a test waits for background work. */
const PATIENCE_MS = 120_000;

/** For behaviours that are not about time-outs. */
const PATIENT = { timeoutMs: 120_000, totalTimeoutMs: 300_000 };

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const judge = ({ ok, equals, error }: Ask, outcome: Outcome): void => {
  if (error !== undefined) expect(outcome).toMatchObject({ error });
  else if (equals !== undefined) expect(outcome).toEqual({ ok: equals });
  else expect(outcome).toMatchObject({ ok: ok ?? expect.anything() });
};

/** One run of a behaviour. */
interface Run extends Behaviour {
  readonly proxy: FaultProxy;
  readonly folder: string;
}

/** A running Cuevault with its samples. */
export interface Service {
  readonly url: string;
  readonly apiKey: string;
}

/** Runs behaviours with one driver. */
export class BehaviourRunner {
  readonly #driver: Driver;
  readonly #service: Service;

  constructor(driver: Driver, service: Service) {
    this.#driver = driver;
    this.#service = service;
  }

  /** Fails if the result differs from the expected one. */
  async run(behaviour: Behaviour): Promise<void> {
    const { faults = [], always = 'pass', steps, calls } = behaviour;
    const folder = newFolder();
    writeFileSync(join(folder, 'key'), `${this.#service.apiKey}\r\n`);
    // One proxy each: background requests of an earlier client must not count here.
    const proxy = await startFaultProxy(this.#service.url);
    try {
      proxy.inject(faults, always);
      for (const step of steps) await this.#step({ ...behaviour, proxy, folder }, step);
      if (calls !== undefined) expect({ calls: proxy.calls() }).toEqual({ calls });
    } finally {
      await proxy.down();
    }
  }

  /** Fails if the driver ends meanwhile. */
  async #sleep(ms: number): Promise<void> {
    await Promise.race([sleep(ms), this.#driver.ended]);
  }

  async #step(run: Run, step: Step): Promise<void> {
    if ('op' in step) await this.#ask(run, step);
    else if ('pass' in step) {
      const args = { wallMs: step.pass, steadyMs: step.pass };
      if (step.only !== undefined) args[step.only === 'wall' ? 'steadyMs' : 'wallMs'] = 0;
      await this.#outcome(run, { op: 'pass', args });
    } else if ('quiet' in step) await this.#outcome(run, { op: 'quiet' });
    else if ('freeze' in step) await this.#freeze(step.freeze);
    else if ('inFolder' in step) step.inFolder(run.folder);
    else if ('sent' in step) expect(run.proxy.sent()).toEqual(step.sent);
    else if ('untilCalls' in step) while (run.proxy.calls() < step.untilCalls) await this.#sleep(10);
    else await run.proxy[step.service]();
  }

  async #ask(run: Run, ask: Ask): Promise<void> {
    const deadline = Date.now() + (ask.eventually === true ? PATIENCE_MS : 0);
    while (true) {
      const pending = this.#outcome(run, ask);
      if (ask.freezeMs !== undefined) await this.#freezeDuring(run, ask.freezeMs);
      const outcome = await pending;
      try {
        judge(ask, outcome);
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await this.#sleep(20);
      }
    }
  }

  async #freezeDuring({ proxy }: Run, ms: number): Promise<void> {
    const calls = proxy.calls();
    while (proxy.calls() === calls) await this.#sleep(10);
    await this.#freeze(ms);
  }

  async #freeze(ms: number): Promise<void> {
    this.#driver.signal('SIGSTOP');
    await sleep(ms);
    this.#driver.signal('SIGCONT');
  }

  #outcome({ title, client: common, proxy, folder }: Run, ask: Ask): Promise<Outcome> {
    const { op, args = {}, concurrency, client = 'first', settings } = ask;
    const config = { url: proxy.url, apiKey: this.#service.apiKey, ...PATIENT, ...common, ...settings };
    if (config.cache === undefined || (typeof config.cache === 'object' && config.cache !== null))
      config.cache = { refreshWaitMs: PATIENCE_MS, ...config.cache };
    const request = { clientId: `${title}: ${client}`, client: config, op, args, concurrency };
    // Neither needs escapes.
    const placed = JSON.stringify(request).replaceAll(FOLDER, folder).replaceAll(ADDRESS, proxy.url);
    return this.#driver.ask(JSON.parse(placed));
  }
}
