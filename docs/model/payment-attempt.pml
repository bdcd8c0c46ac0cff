/*
 * One wish to move money, the rows that it leaves, two processes that cannot trust each other, and a gateway that is slow and forgets.
 * docs/payment-attempts.md tells the rules in words; test/model/payment-attempt.test.ts runs this where spin and a C compiler are.
 *
 * Macros: KIND says what is wished for: 1 a payment of a debt, 2 a refund, 3 the payment of a sign-up. Each rule can be switched off:
 * HEARD_ALL, QUIET_FIRST, KEY_LIVES, SENT_FRESH, KEEP_LATE. LIES lets the gateway say no and move money,
 * and hide what it did when it is asked.
 */
#ifndef KIND
#define KIND 1
#endif
#ifndef HEARD_ALL
#define HEARD_ALL 1
#endif
#ifndef QUIET_FIRST
#define QUIET_FIRST 1
#endif
#ifndef KEY_LIVES
#define KEY_LIVES 1
#endif
#ifndef SENT_FRESH
#define SENT_FRESH 1
#endif
#ifndef KEEP_LATE
#define KEEP_LATE 1
#endif
#ifndef LIES
#define LIES 0
#endif

#define ATTEMPTS 2
#ifndef CALLS
#define CALLS 3
#endif

mtype:row = { none, open, voiding, paid, refused, failed, voided };
mtype:gate = { unheard, working, moved, said_no };
mtype:word = { yes, no, could_not };

/* payment_attempts: an attempt's insertion counts its first call, which is sent later or never */
mtype:row row[ATTEMPTS] = none;
byte begun[ATTEMPTS];
byte heard[ATTEMPTS];
byte token[ATTEMPTS];
bool unsent[ATTEMPTS];     /* the counted first call has not left its process */
bool fresh[ATTEMPTS];      /* it was counted so short a while ago that it may leave */
bool old[ATTEMPTS];        /* the key's lifetime is over, by the database's clock */
bool late[ATTEMPTS];       /* late_approvals: on record, without a place yet */
bool placed[ATTEMPTS];     /* and with one */
byte now_at;               /* the attempt that the wish is at */
bool done;                 /* the debt is paid, the refund made, the sign-up told as done */

/* the gateway */
mtype:gate gate[ATTEMPTS] = unheard;
bool ever[ATTEMPTS];       /* what its records show under the key */
byte travelling[ATTEMPTS]; /* calls that have left a process and not come to their end */
byte sent;
byte taken, undone;

chan calls = [4] of { byte, byte };                 /* attempt, process */
chan answers[2] = [4] of { byte, mtype:word };      /* attempt, answer */

#define is_quiet(a) (travelling[a] == 0 && !(unsent[a] && fresh[a]))
#define is_over(a) (row[a] != open && row[a] != voiding)

/* Inserted by the process that decides: only when the one before it has ended. */
inline new_attempt(a) {
  row[a] = open; begun[a] = 1; unsent[a] = true; fresh[a] = true
}

inline next_attempt() {
  if
  :: KIND != 3 && now_at + 1 < ATTEMPTS -> now_at++; new_attempt(now_at)
  :: else -> skip
  fi
}

/* settleAttempts and recordOtherAnswers, by whoever hears it */
inline settle_yes(a) {
  if
  :: row[a] == open -> row[a] = paid; done = true
  :: row[a] == paid -> skip
  :: else -> if
             :: KEEP_LATE && undone < taken && !placed[a] -> late[a] = true
             :: else -> skip
             fi
  fi;
  assert(row[a] == paid || late[a] || placed[a] || undone == taken)   /* heard, and dropped */
}

proctype gateway() {
  byte a, p;
end:
  do
  :: atomic { calls ? a, p ->
       if
       :: travelling[a]--; answers[p] ! a, could_not; goto end    /* refused at the door */
       :: gate[a] == unheard -> gate[a] = working
       :: gate[a] == working -> travelling[a]--; answers[p] ! a, could_not; goto end
       :: gate[a] == moved -> travelling[a]--; answers[p] ! a, yes; goto end
       :: gate[a] == said_no -> travelling[a]--; answers[p] ! a, no; goto end
       fi }
    atomic {
       if
       :: gate[a] = moved; ever[a] = true; taken++;
          assert(LIES || (row[a] != failed && row[a] != voided));   /* told as failed, and takes place */
          assert(LIES || taken - undone <= 1);                      /* takes place twice */
          if
          :: answers[p] ! a, yes
          :: LIES -> answers[p] ! a, could_not
          fi
       :: gate[a] = said_no; answers[p] ! a, no
       fi;
       travelling[a]-- }
  od
}

/* Clocks: freshness and lifetimes run out; the gateway forgets a key that nothing is on its way for. */
proctype clocks() {
  byte a;
  do
  :: a < ATTEMPTS ->
     atomic { row[a] != none -> fresh[a] = false };
     old[a] = true;
     atomic { travelling[a] == 0 && gate[a] != working && !(!SENT_FRESH && unsent[a] && row[a] == open) -> gate[a] = unheard };
     a++
  :: else -> break
  od
}

proctype process(byte me) {
  byte a, mine;
  mtype:word word;
  mtype:gate found;
end:
  do
  /* dies: what it held and what is on its way to it is gone */
  :: atomic { mine > 0 -> mine = 0; unsent[a] = false;
       do :: answers[me] ? a, word -> skip :: empty(answers[me]) -> break od; a = now_at }

  /* claims: leases are not believed, so whenever it likes; the one who inserted it sends the first call */
  :: atomic { (row[now_at] == open || row[now_at] == voiding) && token[now_at] < 3 ->
       a = now_at; token[a]++; mine = token[a] }

  /* sends the call that the insertion counted, or withdraws it */
  :: atomic { mine == 1 && unsent[a] && (fresh[a] || !SENT_FRESH) && (KIND != 3 || row[a] == open) && sent < CALLS ->
       unsent[a] = false; sent++; travelling[a]++; calls ! a, me }
  :: atomic { mine == 1 && unsent[a] && !fresh[a] && token[a] == mine && row[a] == open && (!KEY_LIVES || !old[a]) -> fresh[a] = true }
  :: atomic { mine == 1 && unsent[a] && token[a] != mine -> unsent[a] = false; heard[a]++ }

  /* puts a further call on record and sends it */
  :: atomic { mine > 0 && mine == token[a] && !unsent[a] && row[a] == open && (!KEY_LIVES || !old[a]) && sent < CALLS ->
       begun[a]++; sent++; travelling[a]++; calls ! a, me }

  /* hears: everybody may settle a yes or a no, a could-not only when nothing else can still say yes */
  :: atomic { answers[me] ? a, word ->
       heard[a]++;
       if
       :: word == yes -> settle_yes(a)
       :: word == no && row[a] == open -> row[a] = refused; next_attempt()
       :: word == could_not && row[a] == open && (!HEARD_ALL || heard[a] == begun[a]) -> row[a] = failed; next_attempt()
       :: else -> skip
       fi;
       a = now_at }

  /* looks it up first: what the gateway shows is believed, that it shows nothing only when nothing can be on its way */
  :: atomic { mine > 0 && row[a] == open && KIND != 3 ->
       if
       :: ever[a] -> settle_yes(a)
       :: !ever[a] && gate[a] == said_no -> row[a] = refused; next_attempt()
       :: (!ever[a] || LIES) && gate[a] != said_no && (!QUIET_FIRST || is_quiet(a)) -> row[a] = failed; next_attempt()
       :: else -> skip
       fi }

  /* a sign-up that its request does not complete: marked first, so that nobody sends or completes; then undone */
  :: atomic { KIND == 3 && mine > 0 && row[a] == open -> row[a] = voiding }
  :: atomic { KIND == 3 && row[a] == voiding ->
       if
       :: ever[a] && undone < taken -> undone++; row[a] = voided
       :: !ever[a] && (!QUIET_FIRST || is_quiet(a)) -> row[a] = voided
       :: else -> skip
       fi }

  /* money without a place: paid where it is still owed, else back */
  :: atomic { KEEP_LATE && (late[0] || late[1]) ->
       a = (late[0] -> 0 : 1); late[a] = false; placed[a] = true;
       if
       :: KIND == 1 && !done -> done = true
       :: KIND == 2 -> done = true
       :: else -> undone++
       fi;
       a = now_at }
  od
}

init {
  atomic { new_attempt(0); run gateway(); run gateway(); run clocks(); run process(0); run process(1) }
}
