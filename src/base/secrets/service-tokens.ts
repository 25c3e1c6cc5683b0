import { hexDigits } from "./form.ts";
import { token } from "./token-form.ts";

const word = "[A-Za-z0-9]";
const dashed = String.raw`[\w-]`;
const dotted = String.raw`[\w.=-]`;
const base64 = "[A-Za-z0-9+/=_-]";
const hex = "[0-9a-fA-F-]";

type Row = readonly [id: string, service: string, prefixes: readonly string[], rest: string, min: number];

/** Services whose tokens begin with a fixed text, beside those everybody uses. */
const rows: readonly Row[] = [
  ["alibaba", "Alibaba Cloud", ["LTAI"], word, 20],
  ["artifactory", "JFrog Artifactory", ["AKCp", "cmVmdGtuOj"], word, 50],
  ["atlassian", "Atlassian", ["ATATT3", "ATCTT3", "ATBB"], base64, 24],
  ["brevo", "Brevo", ["xkeysib-"], hex, 64],
  ["buildkite", "Buildkite", ["bkua_"], hex, 40],
  ["circleci", "CircleCI", ["CCIPAT_", "CCIPRJ_"], dashed, 40],
  ["clojars", "Clojars", ["CLOJARS_"], word, 60],
  ["cloudflare", "Cloudflare: origin CA key", ["v1.0-"], hex, 100],
  ["contentful", "Contentful", ["CFPAT-"], dashed, 40],
  ["doppler", "Doppler", ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim."], dotted, 40],
  ["dropbox", "Dropbox", ["sl.u.", "sl.B", "sl.A"], dashed, 100],
  ["duffel", "Duffel", ["duffel_live_", "duffel_test_"], dotted, 40],
  ["dynatrace", "Dynatrace", ["dt0c01.", "dt0s01."], dotted, 60],
  ["easypost", "EasyPost", ["EZAK", "EZTK"], word, 54],
  ["facebook", "Facebook: page token", ["EAAM", "EAAC"], word, 100],
  ["figma", "Figma", ["figd_", "figu_"], dashed, 30],
  ["flutterwave", "Flutterwave", ["FLWSECK-", "FLWSECK_TEST-"], word, 12],
  ["fly", "Fly.io", ["fo1_", "fm1a_", "fm1r_", "fm2_"], base64, 40],
  ["frameio", "Frame.io", ["fio-u-"], dotted, 60],
  ["grafana", "Grafana", ["glsa_", "glc_"], base64, 30],
  ["groq", "Groq", ["gsk_"], word, 40],
  ["heroku", "Heroku", ["HRKU-"], dashed, 36],
  ["hubspot", "HubSpot", ["pat-na1-", "pat-na2-", "pat-eu1-"], hex, 36],
  ["infracost", "Infracost", ["ico-"], word, 32],
  ["jina", "Jina", ["jina_"], dashed, 40],
  ["langsmith", "LangSmith", ["lsv2_pt_", "lsv2_sk_"], dashed, 32],
  ["linear", "Linear", ["lin_api_", "lin_oauth_"], word, 32],
  ["netlify", "Netlify", ["nfp_", "nfc_"], word, 30],
  ["new-relic", "New Relic", ["NRAK-", "NRII-", "NRIQ-", "NRRA-"], dashed, 26],
  ["notion", "Notion", ["ntn_"], word, 40],
  ["nvidia", "NVIDIA", ["nvapi-"], dashed, 50],
  ["octopus", "Octopus Deploy", ["API-"], "[A-Z0-9]", 26],
  ["one-password", "1Password: service account", ["ops_eyJ"], base64, 60],
  ["openshift", "OpenShift", ["sha256~"], dashed, 43],
  ["perplexity", "Perplexity", ["pplx-"], word, 40],
  ["plaid", "Plaid", ["access-production-", "access-sandbox-", "access-development-"], hex, 32],
  ["planetscale", "PlanetScale", ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], dotted, 32],
  ["posthog", "PostHog: personal key", ["phx_"], word, 40],
  ["postman", "Postman", ["PMAK-"], hex, 50],
  ["prefect", "Prefect", ["pnu_", "pnb_"], word, 36],
  ["pulumi", "Pulumi", ["pul-"], hex, 40],
  ["readme", "ReadMe", ["rdme_"], word, 60],
  ["replicate", "Replicate", ["r8_"], word, 37],
  ["rubygems", "RubyGems", ["rubygems_"], hex, 40],
  ["scalingo", "Scalingo", ["tk-us-"], dashed, 48],
  ["sentry", "Sentry", ["sntryu_", "sntrys_", "sntrya_", "sntryi_"], base64, 40],
  ["settlemint", "SettleMint", ["sm_aat_", "sm_pat_", "sm_sat_"], word, 16],
  ["shippo", "Shippo", ["shippo_live_", "shippo_test_"], hex, 40],
  ["sourcegraph", "Sourcegraph", ["sgp_"], String.raw`[\w]`, 40],
  ["square", "Square", ["sq0atp-", "sq0csp-"], dashed, 22],
  ["supabase", "Supabase", ["sbp_", "sb_secret_"], dashed, 24],
  ["tailscale", "Tailscale", ["tskey-"], dashed, 20],
  ["tavily", "Tavily", ["tvly-"], dashed, 24],
  ["typeform", "Typeform", ["tfp_"], dashed, 40],
  ["vercel", "Vercel", ["vck_", "vcp_", "vci_"], word, 40],
  ["voiceflow", "Voiceflow", ["VF.DM.", "VF.WS."], dotted, 30],
  ["wakatime", "WakaTime", ["waka_"], hex, 30],
  ["xai", "xAI", ["xai-"], word, 60],
  ["yandex", "Yandex", ["y0_", "AQVN"], dashed, 36],
  ["age", "age: identity", ["AGE-SECRET-KEY-1", "AGE-PLUGIN-"], "[A-Z0-9-]", 30],
];

const alphabets: ReadonlyMap<string, string> = new Map([
  [hex, hexDigits],
  ["[A-Z0-9]", "A2B3C4D5E6F7GHIJK"],
  ["[A-Z0-9-]", "A2B3C4D5E6F7GHIJK"],
]);

export const serviceTokenForms = rows.map(([id, doc, prefixes, rest, min]) => {
  const alphabet = alphabets.get(rest);
  return token({ id: `${id}-token`, doc, prefixes, rest, min, ...(alphabet && { alphabet }) });
});
