/** What a password is checked against. */
export interface PasswordRules {
  /** In characters. */
  readonly minLength: number;
  /** Whether passwords that many people have are allowed. */
  readonly allowCommon: boolean;
  /** The user's own name and e-mail address. */
  readonly names: readonly string[];
}

/** Neighbours on keyboards and in the order of letters and digits; read backwards too. */
const RUNS = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "asdfghjkl",
  "zxcvbnm",
];
/** bcrypt ignores more, so longer ones are rejected. */
const LONGEST = 72;

const READ_BOTH_WAYS = RUNS.flatMap((run) => [run, [...run].reverse().join("")]);

/**
 * Why a password is easy to guess, as the end of a sentence about it (`must be at least 8 characters`); undefined when it
 * is not: too short, one of the most common ones, characters that repeat or follow each other, or the user's own name.
 *
 * @source https://pages.nist.gov/800-63-3/sp800-63b.html#memsecretver, length and lists of common ones, no rules of
 *   composition
 */
export function passwordWeakness(
  password: string,
  { minLength, allowCommon, names }: PasswordRules,
): string | undefined {
  if (password.length < minLength) return `must be at least ${minLength} characters`;
  const folded = password.normalize("NFKC").trim().toLowerCase();
  if (isName(folded, names)) return "must not be the username or the e-mail address";
  if (allowCommon || Buffer.byteLength(folded) > LONGEST || !isCommon(folded)) return undefined;
  return "must not be one of the most common ones";
}

function isName(folded: string, names: readonly string[]): boolean {
  const own = names.map((name) => name.normalize("NFKC").trim().toLowerCase());
  return own.some((name) => name !== "" && (name === folded || name.split("@")[0] === folded));
}

function isCommon(folded: string): boolean {
  return commonPasswords.has(folded) || isRepeated(folded) || READ_BOTH_WAYS.some((run) => run.includes(folded));
}

/** One to three characters, over and over: `aaaaaa`, `121212`, `abcabc`. */
function isRepeated(folded: string): boolean {
  return /^(.{1,3})\1+$/u.test(folded);
}

/**
 * Passwords of six characters and more that attackers try first, in lower case; repeated characters and runs of
 * neighbours (`abcdef`, `987654`, `qwertz`) are found by rule and not listed.
 */
const commonPasswords: ReadonlySet<string> = new Set(
  `password password1 password2 password12 password123 password1234 password12345 password01 password! password1! passw0rd
  passw0rd1 p@ssw0rd p@ssword p@ssw0rd1 p@55w0rd pa55word pa55w0rd passwort passwort1 passord motdepasse contraseña contrasena
  senha123 parola wachtwoord haslo123 heslo123 salasana lozinka geheim geheim1 passphrase password0 passwords mypassword
  newpassword changeme changeme1 changeme123 changeit default default1 letmein letmein1 letmein123 letmein! welcome welcome1
  welcome12 welcome123 welcome1! welcome! willkommen bienvenue bienvenido secret secret1 secret12 secret123 secrets topsecret
  admin1 admin12 admin123 admin1234 admin12345 admin123456 admin@123 admin! admin1! adminadmin administrator administrator1
  root123 rootroot toor123 user123 user1234 useruser username test123 test1234 test12345 testtest testing testing1 testing123
  tester temp123 temp1234 temppass demo123 demodemo guest123 guest1 login123 login1 loginlogin master master1 master123 mastermind
  qwerty1 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyu qwer1234 qwe123 qweqwe qweasd qweasdzxc qazwsx qazwsxedc
  qazwsx123 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 zaq12wsx zaq1zaq1 zaq1xsw2 q1w2e3 q1w2e3r4 q1w2e3r4t5 1q2w3e 1q2w3e4r 1q2w3e4r5t
  1q2w3e4r5t6y azerty1 azerty123 asdasd asd123 asdasd123 asdf1234 asdfasdf asdf123 zxc123 zxcvbnm1 zxczxc poiuytrewq lkjhgfdsa
  123qwe 123qweasd 12qwaszx 1234qwer 123abc 1234abcd 12345a 123456a 1234567a 12345678a 123456789a 123456q 123456789q a12345 a123456
  a1234567 a12345678 a123456789 aa123456 aa12345678 abc123 abc1234 abc12345 abc123456 abcd123 abcd1234 abcd12345 abcde123 a1b2c3
  a1b2c3d4 a1s2d3f4 aaa111 aaaa1111 qq123456 q123456 q12345 z123456 x123456 s123456 w123456 1a2b3c 1a2b3c4d 1234aa 11223344
  112233 121212 123123 123123a 123123123 123321 1234321 12344321 123454321 123654 123654789 131313 147258 147258369 147852 159357
  159753 159951 202020 212121 232323 252525 258456 321321 321654 369258147 420420 456123 456456 456789 4815162342 55555a 654321a
  696969 741852 741852963 753951 777888 789456 789456123 789789 852456 878787 951753 963852 963852741 987654321a 987654a 102030
  10203040 1029384756 100200 101010 101112 110110 111222 111222333 112358 11235813 112211 123000 123412 12341234 1234567890a
  000000a 007007 010101 010203 01020304 070707 080808 090909 1111aa 222333 191919 181818 171717 161616 141414 151515 242424
  iloveyou iloveyou1 iloveyou2 iloveu iloveyou! loveyou loveme lovely lover1 loverboy mylove truelove forever forever1 princess
  princess1 sunshine sunshine1 football football1 baseball baseball1 basketball softball hockey1 soccer soccer1 monkey monkey1
  monkey123 dragon dragon1 dragon123 shadow shadow1 superman superman1 batman batman1 batman123 spiderman ironman starwars
  starwars1 pokemon pokemon1 minecraft minecraft1 roblox fortnite naruto naruto1 charizard pikachu killer killer1 hunter hunter1
  hunter2 ranger michael michael1 jordan jordan1 jordan23 jennifer jessica jessica1 ashley ashley1 charlie charlie1 daniel daniel1
  andrew andrew1 anthony anthony1 joshua joshua1 matthew matthew1 michelle michelle1 nicole nicole1 amanda amanda1 thomas thomas1
  robert robert1 george george1 jasmine brandon brandon1 justin justin1 samantha samantha1 taylor taylor1 william william1
  alexander alexandra victoria patrick patrick1 maggie maggie1 bailey bailey1 buster buster1 ginger ginger1 pepper pepper1 tigger
  tigger1 cookie cookie1 cheese cheese1 chocolate chicken chicken1 banana banana1 orange orange1 purple purple1 yellow silver
  silver1 golden diamond diamond1 flower flower1 summer summer1 winter winter1 spring1 autumn1 summer2020 summer2021 summer2022
  summer2023 summer2024 summer2025 summer2026 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 winter2026 monday1
  friday freedom freedom1 whatever whatever1 trustno1 internet internet1 computer computer1 samsung samsung1 google google1 googlegoogle
  facebook facebook1 linkedin twitter instagram youtube microsoft windows apple123 iphone android yahoo123 gmail123 hotmail hello1
  hello12 hello123 hello1234 hellohello helloworld helloworld1 hallo123 bonjour bonjour1 buenosdias access access1 access14 secure
  secure123 security security1 server server1 system system1 oracle oracle1 database mysql123 postgres postgres1 docker ubuntu
  linux123 cisco123 strapi strapi1 strapi123 mustang mustang1 harley harley1 corvette ferrari ferrari1 mercedes porsche
  yankees yankees1 cowboys cowboys1 steelers eagles eagles1 lakers lakers1 arsenal arsenal1 chelsea chelsea1 liverpool liverpool1
  barcelona barcelona1 realmadrid juventus manchester phoenix phoenix1 thunder thunder1 lightning midnight rainbow rainbow1
  butterfly butterfly1 blink182 metallica nirvana slipknot matrix merlin merlin1 wizard gandalf hogwarts jesus1 jesus123 jesuschrist
  heaven angel1 angel123 angels angels1 babygirl babygirl1 babyboy sweety sweetie honey1 beautiful beautiful1 friends friends1
  family family1 daddy1 mommy1 mother father brother sister sister1 password99 password11 password10 password7 peanut peanut1
  snoopy snoopy1 scooby scooter scooter1 nathan tucker dakota austin austin1 dallas dallas1 london london1 boston boston1
  newyork newyork1 chicago chicago1 paris1 berlin1 madrid1 america america1 canada canada1 germany france mexico brasil
  fuckyou fuckyou1 fuckyou2 fuckoff asshole asshole1 bullshit biteme bitch1 whore1 sexy123 letsgo gocowboys goodluck lucky7
  lucky1 lucky123 money1 money123 cash123 player player1 player123 gamer123 gameover zombie nintendo playstation xbox360`
    .split(/\s+/)
    .filter((password) => password !== ""),
);
