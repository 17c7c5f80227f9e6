// usage: inno2 ROOT service NAME ids...   (ids may be combo:N, switches, derived:from:to, /regex)
const [root, service, ...names] = process.argv.slice(2);
const { loadContract } = await import(`${root}/helpers/contract/load.ts`);
const { openWorkbench } = await import(`${root}/mutation/workbench.ts`);
const { baselineOf } = await import(`${root}/mutation/baseline.ts`);
const { runDifferences } = await import(`${root}/mutation/run-differences.ts`);
const { tasksInPairs } = await import(`${root}/mutation/innocence.ts`);
const { listDifferences, differencesNamed } = await import(`${root}/mocks/engine/differences/differences.ts`);
const c = await loadContract(service);
const w = await openWorkbench(c);
const times = new Map<string, number>();
let last = 0; let slowTrials = false;
const wrapped = { ...w, within: (s: any, use: any) => w.within({...s, onExchange: (e: any) => { s.onExchange?.(e); const n = performance.now(); if (process.env.GAPS && n - last > 400) console.log('       gap', Math.round(n - last), e.operationId, e.request.method, e.request.url.slice(0,100), e.response?.status ?? e.failure?.kind, e.timings?.totalMs ?? ''); last = n; }}, (session: any, ch: any) => use({ ...session, run: async (t: any) => { const t0 = performance.now(); const r = await session.run(t); if (performance.now()-t0>1500) console.log("     slow", t.id, ((performance.now()-t0)/1000).toFixed(1)); times.set(t.id, (times.get(t.id) ?? 0) + performance.now() - t0); return r; } }, ch)) };
const t0 = performance.now();
const b = await baselineOf(w, 'quick');
console.log('baseline', ((performance.now()-t0)/1000).toFixed(1), 's');
const all = await listDifferences([c]);
const combos = tasksInPairs(service, all);
const jobs: any[] = [];
for (const n of names) {
  if (n === '-t') { slowTrials = true; continue; }
  if (n === 'combos') for (const t of combos) jobs.push({ name: t.name, ds: differencesNamed(all, t.differences) });
  else if (n.startsWith('combo:')) { const t = combos[Number(n.slice(6))-1]; jobs.push({ name: t.name, ds: differencesNamed(all, t.differences) }); }
  else if (n === 'switches') for (const d of all.filter((x: any) => x.kind === 'switch')) jobs.push({ name: d.id, ds: [d] });
  else if (n.startsWith('every:')) { const k = Number(n.slice(6)); all.filter((x: any) => x.kind !== 'switch').filter((_: any, i: number) => i % k === 3).forEach((d: any) => jobs.push({ name: d.id, ds: [d] })); } else if (n.startsWith('derived:')) { const [, f, t] = n.split(':').map(Number); for (const d of all.filter((x: any) => x.kind !== 'switch').slice(f, t)) jobs.push({ name: d.id, ds: [d] }); }
  else if (n.startsWith('@')) { const ids = new Set((await import('node:fs')).readFileSync(n.slice(1),'utf8').trim().split(',')); for (const d of all.filter((x: any) => ids.has(x.id))) jobs.push({ name: d.id, ds: [d] }); }
  else if (n.startsWith('/')) for (const d of all.filter((x: any) => new RegExp(n.slice(1)).test(x.id))) jobs.push({ name: d.id, ds: [d] });
  else jobs.push({ name: n, ds: differencesNamed(all, n.split(',')) });
}
console.log(jobs.length, 'jobs');
const perTrial = new Map<string, number>(); const rows: any[] = []; const count: any = {}; const kinds = new Map<string, number>(); const bad: string[] = [];
for (const { name, ds } of jobs) {
  times.clear();
  const c0 = process.cpuUsage(); const r = await runDifferences(wrapped, b, name, ds); const c1 = process.cpuUsage(c0); console.log("cpu", ((c1.user+c1.system)/1e6).toFixed(1), "wall", r.seconds.toFixed(1), name);
  for (const [t, ms] of times) perTrial.set(t, (perTrial.get(t) ?? 0) + ms); rows.push([r.seconds, name, r.trials, r.exchanges]); count[r.status] = (count[r.status] ?? 0) + 1;
  if (r.status !== 'acquitted' || r.seconds > 8 || slowTrials) {
    console.log(r.status, name, `${r.trials} trials ${r.exchanges} ex ${r.changed} changed ${r.seconds.toFixed(1)}s`);
    if (r.status !== 'acquitted') bad.push(name);
    for (const x of r.convictions) { const k = 'C ' + x.verdict + ' ' + x.reason.replace(/\d+|\/\S+|["']\S+["']/g, '#').slice(0, 100); kinds.set(k, (kinds.get(k) ?? 0) + 1); }
    for (const x of r.lost) { const k = 'L ' + x.reason.replace(/\d+/g, '#').slice(0, 100); kinds.set(k, (kinds.get(k) ?? 0) + 1); }
    for (const x of r.convictions.slice(0, 8)) console.log('   ', x.verdict, x.requirement, '|', x.trial, '|', x.reason.slice(0, 260).replace(/\n/g, ' '));
    for (const x of r.lost.slice(0, 8)) console.log('    lost', x.requirement, '|', x.trial, '|', x.reason.slice(0, 200));
    if (slowTrials || r.seconds > 20) for (const [t, ms] of [...times].sort((a, b) => b[1] - a[1]).slice(0, 12)) console.log('      ', (ms / 1000).toFixed(1), t);
  }
}
for (const [k, v] of [...kinds].sort((a, b) => b[1] - a[1]).slice(0, 60)) console.log(v, k);
rows.sort((a,b)=>b[0]-a[0]); console.log('TOTAL', rows.reduce((a,r)=>a+r[0],0)); for (const r of rows.slice(0,25)) console.log(r.join(' ')); for (const [t,ms] of [...perTrial].sort((a,b)=>b[1]-a[1]).slice(0,30)) console.log('  per', (ms/1000).toFixed(1), t); console.log(count); console.log('BAD ' + bad.join(','));
await w.close(); process.exit(0);
