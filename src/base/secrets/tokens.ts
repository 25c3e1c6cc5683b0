import { filler, hexDigits, type SecretForm, startAfter } from "./form.ts";

/** `task-…` is no `sk-…`. */
const start = startAfter("[^A-Za-z0-9]");

type Parts = Pick<SecretForm, "id" | "doc"> & {
  /** Literal texts a token begins with. */
  readonly prefixes: readonly string[];
  /** Character class of the rest, and how many of them there are at least. */
  readonly rest: string;
  readonly min: number;
  readonly alphabet?: string;
};

/** The prefix is searched for first and only then what stands before it is looked at: that is what makes it fast. */
function token({ prefixes, rest, min, alphabet, ...row }: Parts): SecretForm {
  const prefix = `(?:${prefixes.map((text) => text.replaceAll(/[.\-/]/g, String.raw`\$&`)).join("|")})`;
  return {
    ...row,
    keywords: prefixes,
    pattern: new RegExp(`${prefix}(?<=${start}${prefix})${rest}{${min},}`, "g"),
    example: () => `${prefixes[0]}${filler(min, alphabet)}`,
    masked: "",
  };
}

const word = "[A-Za-z0-9]";
const dashed = String.raw`[\w-]`;
const hex = "[0-9a-fA-F]";

/**
 * Tokens that their issuers let begin with a fixed text, so that they can be found. Prefixes, alphabets and lengths are
 * facts their issuers publish; a length is the shortest one in use, so that a longer token of next year is found too.
 */
export const tokenForms: readonly SecretForm[] = [
  token({
    id: "github-token",
    doc: "GitHub: personal, OAuth, user, server and refresh tokens",
    prefixes: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    rest: word,
    min: 20,
  }),
  token({
    id: "github-fine-grained",
    doc: "GitHub: fine-grained personal token",
    prefixes: ["github_pat_"],
    rest: String.raw`\w`,
    min: 22,
  }),
  token({
    id: "gitlab-token",
    doc: "GitLab: personal, deploy, runner, trigger, feed, agent and job tokens",
    prefixes: [
      "glpat-",
      "gldt-",
      "glrt-",
      "glptt-",
      "glft-",
      "glimt-",
      "glagent-",
      "gloas-",
      "glsoat-",
      "glcbt-",
    ],
    rest: String.raw`[\w.-]`,
    min: 20,
  }),
  token({ id: "npm-token", doc: "npm: access token", prefixes: ["npm_"], rest: word, min: 36 }),
  token({
    id: "stripe-key",
    doc: "Stripe: secret and restricted keys",
    prefixes: ["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"],
    rest: word,
    min: 10,
  }),
  token({
    id: "webhook-secret",
    doc: "Signing secret of Standard Webhooks and Stripe",
    prefixes: ["whsec_"],
    rest: "[A-Za-z0-9+/=_-]",
    min: 8,
  }),
  token({
    id: "model-api-key",
    doc: "OpenAI, Anthropic, OpenRouter, DeepSeek and others: sk-…, sk-proj-…, sk-ant-…",
    prefixes: ["sk-"],
    rest: dashed,
    min: 16,
  }),
  token({ id: "google-api-key", doc: "Google: API key", prefixes: ["AIza"], rest: dashed, min: 35 }),
  token({
    id: "google-oauth",
    doc: "Google: OAuth access token and client secret",
    prefixes: ["ya29.", "GOCSPX-"],
    rest: String.raw`[\w.-]`,
    min: 20,
  }),
  token({
    id: "slack-token",
    doc: "Slack: bot, user, legacy, refresh, configuration and app tokens",
    prefixes: [
      "xoxa-",
      "xoxb-",
      "xoxc-",
      "xoxd-",
      "xoxe-",
      "xoxe.",
      "xoxo-",
      "xoxp-",
      "xoxr-",
      "xoxs-",
      "xapp-",
    ],
    rest: String.raw`[\w.%-]`,
    min: 10,
  }),
  token({
    id: "slack-webhook",
    doc: "Slack: address that posts messages",
    prefixes: ["hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"],
    rest: "[A-Za-z0-9+/_-]",
    min: 10,
  }),
  token({
    id: "discord-webhook",
    doc: "Discord: address that posts messages",
    prefixes: ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
    rest: String.raw`[\w/-]`,
    min: 20,
  }),
  token({ id: "pypi-token", doc: "PyPI: upload token", prefixes: ["pypi-AgE"], rest: dashed, min: 16 }),
  token({
    id: "hugging-face-token",
    doc: "Hugging Face: user and organisation tokens",
    prefixes: ["hf_", "api_org_"],
    rest: word,
    min: 30,
  }),
  token({
    id: "docker-token",
    doc: "Docker: personal and organisation tokens",
    prefixes: ["dckr_pat_", "dckr_oat_"],
    rest: dashed,
    min: 20,
  }),
  token({
    id: "aws-key-id",
    doc: "AWS: id of a permanent or temporary key",
    prefixes: ["AKIA", "ASIA", "ABIA", "ACCA"],
    rest: "[A-Z0-9]",
    min: 16,
    alphabet: "A2B3C4D5E6F7GHIJK",
  }),
  token({
    id: "bedrock-key",
    doc: "AWS: Bedrock API key",
    prefixes: ["ABSK"],
    rest: "[A-Za-z0-9+/=]",
    min: 100,
  }),
  token({ id: "vault-token", doc: "HashiCorp Vault", prefixes: ["hvs.", "hvb."], rest: dashed, min: 24 }),
  token({ id: "sendgrid-key", doc: "SendGrid", prefixes: ["SG."], rest: String.raw`[\w.-]`, min: 60 }),
  token({
    id: "digitalocean-token",
    doc: "DigitalOcean",
    prefixes: ["dop_v1_", "doo_v1_", "dor_v1_"],
    rest: hex,
    min: 60,
    alphabet: hexDigits,
  }),
  token({
    id: "shopify-token",
    doc: "Shopify",
    prefixes: ["shpat_", "shpca_", "shppa_", "shpss_"],
    rest: hex,
    min: 32,
    alphabet: hexDigits,
  }),
  token({
    id: "databricks-token",
    doc: "Databricks",
    prefixes: ["dapi"],
    rest: hex,
    min: 32,
    alphabet: hexDigits,
  }),
  token({
    id: "other-service-token",
    doc: "Atlassian, Doppler, Figma, Grafana, Groq, Linear, Notion, Perplexity, PlanetScale, Postman, Pulumi, RubyGems, Sentry, Tailscale, xAI, 1Password, age",
    prefixes: [
      ...["ATATT3", "dp.pt.", "figd_", "glsa_", "glc_", "gsk_", "lin_api_", "ntn_", "pplx-", "pscale_tkn_"],
      ...[
        "pscale_pw_",
        "pscale_oauth_",
        "PMAK-",
        "pul-",
        "rubygems_",
        "sntryu_",
        "sntrys_",
        "tskey-",
        "xai-",
      ],
      ...["ops_eyJ", "AGE-SECRET-KEY-1"],
    ],
    rest: "[A-Za-z0-9+/=_.-]",
    min: 30,
  }),
];
